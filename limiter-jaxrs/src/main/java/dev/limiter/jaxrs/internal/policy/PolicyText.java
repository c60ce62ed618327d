package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.Policy;
import dev.limiter.spi.DurationNotation;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The numbers of a policy in a few words: {@code GCRA 600 per 1m with burst 50}. */
public final class PolicyText {
    private PolicyText() {}

    public static String of(Policy policy) {
        Algorithm algorithm = policy.algorithm();
        StringBuilder text = new StringBuilder();
        text.append(algorithm).append(' ').append(policy.limit());
        text.append(algorithm.accepts(Member.WINDOW) ? per(policy) : " in flight");
        if (algorithm.accepts(Member.BURST)) {
            text.append(" with burst ").append(policy.burst());
        }
        if (algorithm.accepts(Member.REFILL)) {
            text.append(", refill ").append(policy.refill());
        }
        if (policy.borrow()) {
            text.append(" and borrow");
        }
        if (algorithm.accepts(Member.MAX_WAIT)) {
            text.append(" with maxWait ").append(DurationNotation.format(policy.maxWait()));
        }
        return switch (policy.enforcement()) {
            case ENFORCED -> text.toString();
            case SOFT -> text + ", soft";
            case SHADOW -> text + ", as a shadow";
        };
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

    private static String per(Policy policy) {
        return " per " + window(policy);
    }

    /** The window of a policy as it is written: {@code 10s}, {@code 1 month Europe/Paris}. */
    public static String window(Policy policy) {
        return policy.period() == null
                ? DurationNotation.format(policy.window())
                : policy.period().toString();
    }
}
