package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Policy;
import dev.limiter.jaxrs.internal.response.Draft11Headers;

/**
 * A policy with the numbers of one tier, as requests meet it.
 *
 * @param policyItem how the RateLimit-Policy field of draft 11 tells it, which is the same for every request
 * @param published whether the client is told of it at all
 */
public record EffectivePolicy(Policy policy, String policyItem, boolean published) {

    public static EffectivePolicy of(Policy policy, boolean published) {
        return new EffectivePolicy(policy, Draft11Headers.policyItem(policy), published && !policy.shadow());
    }
}
