package dev.limiter.jaxrs;

import dev.limiter.Stage;

/**
 * One limit of an endpoint: a policy, and what chooses partition, cost and tier of each request.
 *
 * @param tier names the caller's tier; null for a limit without tiers
 * @param countOn the responses that count
 */
record Limit(LivePolicy policy, KeyExpression key, Cost cost, KeyExpression.Part tier, StatusSet countOn, Stage stage) {

    /** A policy that is asked by its name, for one unit of a key that the service knows. */
    static Limit of(LivePolicy policy) {
        return new Limit(policy, null, Cost.ONE, null, StatusSet.ALL, Stage.AFTER_AUTHENTICATION);
    }

    String name() {
        return policy.name();
    }

    /** Whether what it takes may come back before its time, here or on another endpoint. */
    boolean isRefundable() {
        return policy.isRefundable();
    }

    /** Whether it is decided and reported only. */
    boolean isShadow() {
        return policy.numbers().policy().shadow();
    }

    /** The numbers for a caller; null if nothing counts it. */
    Quota quota(LimitedRequest request) {
        return policy.quota(tier == null ? null : tier.value(request));
    }

    /** Equal for a class limit on each of its methods, where its key was compiled anew. */
    String description() {
        return policy.draft() + " " + key.describe() + " " + cost.describe() + " " + countOn.describe() + " " + stage;
    }
}
