package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Policy;
import dev.limiter.spi.DurationNotation;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The numbers of a policy in a few words: {@code GCRA 600 per 1m with burst 50}. */
public final class PolicyText {
    private PolicyText() {}

    public static String of(Policy policy) {
        String numbers = policy.algorithm() + " " + policy.limit();
        String kind = switch (policy.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, UNIFORM -> numbers + per(policy);
            case GCRA -> numbers + per(policy) + " with burst " + policy.burst();
            case TOKEN_BUCKET ->
                numbers + per(policy) + " with burst " + policy.burst() + ", refill " + policy.refill()
                        + (policy.borrow() ? " and borrow" : "");
            case LEAKY_BUCKET -> numbers + per(policy) + " with maxWait " + DurationNotation.format(policy.maxWait());
            case CONCURRENCY -> numbers + " in flight";
            case GATE -> "GATE";
        };
        return policy.shadow() ? kind + ", as a shadow" : kind;
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
        return " per " + DurationNotation.format(policy.window());
    }
}
