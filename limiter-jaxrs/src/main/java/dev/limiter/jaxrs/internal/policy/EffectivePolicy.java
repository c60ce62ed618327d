package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Policy;
import java.math.BigInteger;

/**
 * A policy with the numbers of one tier, as requests meet it.
 *
 * @param policyItem how the RateLimit-Policy field of draft 11 tells it, which is the same for every request
 * @param published whether the client is told of it at all
 */
public record EffectivePolicy(Policy policy, String policyItem, boolean published) {
    private static final long SECOND_MICROS = 1_000_000;

    public static EffectivePolicy of(Policy policy, boolean published) {
        return new EffectivePolicy(policy, policyItem(policy), published && !policy.shadow());
    }

    /** What can be spent back to back, and the time in which it comes back: {@code "buyer";q=10;w=20}. */
    private static String policyItem(Policy policy) {
        String item = '"' + policy.name() + "\";q=" + policy.capacity();
        if (policy.rules().leases()) {
            return item + ";qu=\"concurrent-requests\"";
        }
        BigInteger[] seconds = policy.quotaMicros().divideAndRemainder(BigInteger.valueOf(SECOND_MICROS));
        // The draft knows whole seconds only: a window of half a second is left out, not rounded to a lie.
        return seconds[1].signum() == 0 ? item + ";w=" + seconds[0] : item;
    }
}
