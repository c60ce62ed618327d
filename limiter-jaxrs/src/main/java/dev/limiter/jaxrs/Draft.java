package dev.limiter.jaxrs;

import dev.limiter.Algorithm;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.Refill;
import java.time.Duration;
import java.util.Map;

/**
 * The numbers of a policy as they were written, before the defaults: what is not written is 0 or null. So a limit that
 * configuration changes changes a burst that was never written, too.
 *
 * @param tiers other numbers by tier
 */
record Draft(
        String name,
        Algorithm algorithm,
        long limit,
        Duration window,
        long burst,
        Refill refill,
        boolean borrow,
        Duration maxWait,
        boolean aligned,
        boolean shadow,
        Map<String, TierDraft> tiers,
        OnStoreFailure onStoreFailure) {

    /** What a tier changes; 0 for what it does not. */
    record TierDraft(long limit, long burst, boolean unlimited) {}

    /**
     * The policy of callers without a tier.
     *
     * @throws dev.limiter.InvalidPolicyException naming the member, the value and the rule it breaks
     */
    Policy policy() {
        return policy(limit, burst);
    }

    /** The policy of a tier, which is not unlimited. */
    Policy policy(TierDraft tier) {
        return policy(tier.limit() == 0 ? limit : tier.limit(), tier.burst() == 0 ? burst : tier.burst());
    }

    private Policy policy(long units, long backToBack) {
        return new Policy(name, algorithm, units, window, backToBack, refill, borrow, maxWait, aligned, shadow);
    }
}
