package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Algorithm;
import dev.limiter.InvalidPolicyException;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.Refill;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of a policy as they were written, before the defaults: what is not written is 0 or null. So a limit that
 * configuration changes changes a burst that was never written, too.
 *
 * @param tiers other numbers by tier
 */
public record PolicyDeclaration(
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
        Map<String, TierDeclaration> tiers,
        OnStoreFailure onStoreFailure) {

    /** What a tier changes; 0 for what it does not. */
    public record TierDeclaration(long limit, long burst, boolean unlimited) {}

    /**
     * The policy of callers without a tier.
     *
     * @throws InvalidPolicyException naming the member, the value and the rule it breaks
     */
    public Policy policy() {
        return policy(limit, burst);
    }

    /** The policy of a tier, which is not unlimited. */
    Policy policy(TierDeclaration tier) {
        return policy(tier.limit() == 0 ? limit : tier.limit(), tier.burst() == 0 ? burst : tier.burst());
    }

    /**
     * Why this can be no policy.
     *
     * @param tier with whose numbers; empty for those of callers without a tier
     */
    record Impossible(String tier, InvalidPolicyException why) {}

    /** The first rule that a policy of these numbers would break; empty if it can be. */
    Optional<Impossible> impossible() {
        String with = "";
        try {
            policy();
            for (Map.Entry<String, TierDeclaration> tier : tiers.entrySet()) {
                with = tier.getKey();
                if (!tier.getValue().unlimited()) {
                    policy(tier.getValue());
                }
            }
            return Optional.empty();
        } catch (InvalidPolicyException why) {
            return Optional.of(new Impossible(with, why));
        }
    }

    private Policy policy(long units, long backToBack) {
        if (algorithm == Algorithm.GATE) {
            throw new InvalidPolicyException(
                    "algorithm", "a GATE counts nothing, and cannot be declared: it stands beside a partner's limit");
        }
        return new Policy(
                name, algorithm, units, window, backToBack, refill, borrow, maxWait, aligned, shadow, onStoreFailure);
    }
}
