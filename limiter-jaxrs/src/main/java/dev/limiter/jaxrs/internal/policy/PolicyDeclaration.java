package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Algorithm;
import dev.limiter.Enforcement;
import dev.limiter.InvalidPolicyException;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.calendar.CalendarPeriod;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of a policy as written, before the defaults: a member that is not written is 0 or
 * null. So if configuration changes the limit, a burst that is not written changes with it.
 *
 * @param tiers other numbers by tier
 * @param contracts whether a bean has the numbers of partitions
 */
public record PolicyDeclaration(
        String name,
        Algorithm algorithm,
        long limit,
        DeclaredWindow window,
        long burst,
        Refill refill,
        boolean borrow,
        Duration maxWait,
        boolean aligned,
        Enforcement enforcement,
        Map<String, TierDeclaration> tiers,
        boolean contracts,
        OnStoreFailure onStoreFailure) {

    /** The same policy with another window. */
    public PolicyDeclaration per(DeclaredWindow other) {
        return new PolicyDeclaration(
                name,
                algorithm,
                limit,
                other,
                burst,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                tiers,
                contracts,
                onStoreFailure);
    }

    /** The numbers of a tier; 0 keeps the policy's number. */
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
     * Why these numbers are no policy.
     *
     * @param tier whose numbers they are; empty for those of callers without a tier
     */
    record Impossible(String tier, InvalidPolicyException why) {}

    /** The first rule that a policy of these numbers would break; empty if it breaks none. */
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
        CalendarPeriod period = window == null ? null : window.anchored();
        Policy policy = new Policy(
                name,
                algorithm,
                units,
                span(),
                backToBack,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                onStoreFailure);
        Policy timed = period == null ? policy : policy.in(period);
        return limitVaries() ? timed.withVaryingLimit() : timed;
    }

    /** Whether one partition may be counted under several limits. */
    private boolean limitVaries() {
        return contracts
                || tiers.values().stream()
                        .anyMatch(tier -> !tier.unlimited() && tier.limit() != 0 && tier.limit() != limit);
    }

    /** A policy takes the place of this span when it gets the period. */
    private Duration span() {
        if (window == null) {
            return null;
        }
        return window.span() == null ? Duration.ofDays(1) : window.span();
    }
}
