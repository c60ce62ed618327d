package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.settings.DurationNotation;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A policy in a few words: {@code GCRA 600 per 1m with burst 50}. */
public final class PolicyText {
    private PolicyText() {}

    public static String of(Policy policy) {
        return of(policy, window(policy));
    }

    static String of(Policy policy, String window) {
        String per = policy.algorithm().accepts(Algorithm.Member.WINDOW) ? " per " + window : " in flight";
        return policy.algorithm() + " " + policy.limit() + per + members(policy);
    }

    /** The other members: {@code with burst 50, refill INTERVAL}, with a blank before. */
    public static String members(Policy policy) {
        return PolicyMember.ALL.stream()
                .map(member -> member.text(policy.members()))
                .collect(Collectors.joining());
    }

    /** The tiers of a policy: {@code tiers gold (limit 60, burst 70), staff (unlimited)}. */
    public static String of(Map<String, PolicyDeclaration.TierDeclaration> tiers) {
        if (tiers.isEmpty()) {
            return "no tiers";
        }
        return new TreeMap<>(tiers)
                .entrySet().stream()
                        .map(tier -> tier.getKey() + " (" + of(tier.getValue()) + ")")
                        .collect(Collectors.joining(", ", "tiers ", ""));
    }

    private static String of(PolicyDeclaration.TierDeclaration tier) {
        if (tier.unlimited()) {
            return "unlimited";
        }
        String limit = tier.limit() == 0 ? "" : "limit " + tier.limit();
        String burst = tier.burst() == 0 ? "" : "burst " + tier.burst();
        return limit.isEmpty() || burst.isEmpty() ? limit + burst : limit + ", " + burst;
    }

    /** The window of a policy as it is written: {@code 10s}, {@code 1 month Europe/Paris}. */
    public static String window(Policy policy) {
        return policy.period() == null
                ? DurationNotation.format(policy.window())
                : policy.period().toString();
    }
}
