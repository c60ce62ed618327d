package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Enforcement;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import java.math.BigInteger;

/**
 * A policy for one tier or one partition, as requests meet it.
 *
 * @param policyItem its item in the RateLimit-Policy header of draft 11, the same for every
 *     request
 * @param published whether responses show it
 */
public record EffectivePolicy(Policy policy, String policyItem, boolean published) {
    private static final long SECOND_MICROS = 1_000_000;

    public static EffectivePolicy of(Policy policy, boolean published) {
        return new EffectivePolicy(policy, policyItem(policy), published && policy.enforcement() != Enforcement.SHADOW);
    }

    /**
     * The same as the limiter has answered for it: a limiter in memory may keep a part of the
     * limit, and the client is told of that part.
     */
    public EffectivePolicy answeredBy(Policy answering) {
        return answering == policy ? this : new EffectivePolicy(answering, policyItem(answering), published);
    }

    /** The same in another period of the calendar, if it has one. */
    EffectivePolicy in(CalendarPeriod period) {
        boolean same = policy.period() == null || policy.period().equals(period);
        return same ? this : new EffectivePolicy(policy.in(period), policyItem, published);
    }

    /**
     * The item: the units that can be spent back to back, and the time in which they come back:
     * {@code "buyer";q=10;w=20}.
     */
    private static String policyItem(Policy policy) {
        String item = '"' + policy.name() + "\";q=" + policy.capacity();
        if (policy.rules().leases()) {
            return item + ";qu=\"concurrent-requests\"";
        }
        if (policy.period() != null) {
            return item; // no fixed length
        }
        BigInteger[] seconds = policy.rules().quotaMicros().divideAndRemainder(BigInteger.valueOf(SECOND_MICROS));
        // The draft has whole seconds only. A window of half a second is left out, since
        // rounding would be untrue.
        return seconds[1].signum() == 0 ? item + ";w=" + seconds[0] : item;
    }
}
