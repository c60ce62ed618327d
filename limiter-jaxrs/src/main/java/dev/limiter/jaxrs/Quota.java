package dev.limiter.jaxrs;

import dev.limiter.Policy;

/**
 * A policy with the numbers of one tier, as requests meet it.
 *
 * @param policyItem how the RateLimit-Policy field of draft 11 tells it, which is the same for every request
 * @param published whether the client is told of it at all
 */
record Quota(Policy policy, String policyItem, boolean published) {

    static Quota of(Policy policy, boolean published) {
        return new Quota(policy, Draft11Fields.policyItem(policy), published && !policy.shadow());
    }
}
