package dev.limiter.jaxrs;

import dev.limiter.DurationNotation;
import dev.limiter.Policy;

/** The numbers of a policy in a few words: {@code GCRA 600 per 1m with burst 50}. */
final class PolicyText {
    private PolicyText() {}

    static String of(Policy policy) {
        String numbers = policy.algorithm() + " " + policy.limit();
        String kind = switch (policy.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, UNIFORM -> numbers + per(policy);
            case GCRA -> numbers + per(policy) + " with burst " + policy.burst();
            case TOKEN_BUCKET ->
                numbers + per(policy) + " with burst " + policy.burst() + ", refill " + policy.refill()
                        + (policy.borrow() ? " and borrow" : "");
            case LEAKY_BUCKET -> numbers + per(policy) + " with maxWait " + DurationNotation.format(policy.maxWait());
            case CONCURRENCY -> numbers + " in flight";
        };
        return policy.shadow() ? kind + ", as a shadow" : kind;
    }

    private static String per(Policy policy) {
        return " per " + DurationNotation.format(policy.window());
    }
}
