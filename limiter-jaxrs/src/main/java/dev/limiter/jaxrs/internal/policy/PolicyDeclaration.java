package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Algorithm;
import dev.limiter.InvalidPolicyException;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import java.util.Map;
import java.util.Optional;

/**
 * The members of a policy as written, before the defaults. So if configuration changes the
 * limit, a burst that is not written changes with it.
 *
 * @param written all members, besides the window
 * @param window null if it is missing
 * @param tiers other limits and bursts by tier
 * @param contracts whether partitions have quotas of their own, by a bean or by operators
 */
public record PolicyDeclaration(
        PolicyMembers written, DeclaredWindow window, Map<String, TierDeclaration> tiers, boolean contracts) {

    /** The same, of which operators may change the limit for all partitions or for one. */
    PolicyDeclaration operated() {
        return new PolicyDeclaration(written, window, tiers, true);
    }

    public String name() {
        return written.get(PolicyMember.NAME);
    }

    /** Null if it is missing. */
    public Algorithm algorithm() {
        return written.get(PolicyMember.ALGORITHM);
    }

    /** The periods of each caller; null unless an expression names their anchor or zone. */
    public CallerPeriod callerPeriod() {
        return window == null ? null : window.ofCaller();
    }

    /** Limit and burst of a tier; 0 keeps that of the policy. */
    public record TierDeclaration(long limit, long burst, boolean unlimited) {}

    /**
     * The policy of callers without a tier.
     *
     * @throws InvalidPolicyException naming the member, the value and the rule it breaks
     */
    public Policy policy() {
        return policy(written);
    }

    /** The policy of a tier, which is not unlimited. */
    Policy policy(TierDeclaration tier) {
        PolicyMembers limited = tier.limit() == 0 ? written : written.with(PolicyMember.LIMIT, tier.limit());
        return policy(tier.burst() == 0 ? limited : limited.with(PolicyMember.BURST, tier.burst()));
    }

    /**
     * Why these members are no policy.
     *
     * @param tier whose members they are; empty for those of callers without a tier
     */
    record Impossible(String tier, InvalidPolicyException why) {}

    /** The first rule that a policy of these members would break; empty if it breaks none. */
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

    private Policy policy(PolicyMembers members) {
        if (algorithm() == Algorithm.GATE) {
            throw new InvalidPolicyException(
                    "algorithm", "a GATE cannot be declared: the limiter adds it to outbound limits; choose another");
        }
        return new Policy(members.with(PolicyMember.WINDOW, window == null ? null : window.span())
                .with(PolicyMember.PERIOD, window == null ? null : window.anchored())
                .with(PolicyMember.LIMIT_VARIES, limitVaries()));
    }

    /**
     * Whether one partition may be counted under several limits: also if those of all tiers are
     * equal now, because configuration may have raised one of them.
     */
    private boolean limitVaries() {
        return contracts || tiers.values().stream().anyMatch(tier -> !tier.unlimited() && tier.limit() != 0);
    }
}
