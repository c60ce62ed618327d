package dev.limiter.jaxrs.internal.request;

import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.plan.Limit;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;

/**
 * A limit of a request whose units the method acquires.
 *
 * @param effective the numbers that hold for the caller
 * @param key the partition of the request
 */
record MethodLimit(Limit limit, EffectivePolicy effective, PartitionKey key) {

    /** The limit for a request; null if the policy does not count it. */
    static MethodLimit of(Limit limit, LimitedRequest request) {
        EffectivePolicy declared = limit.policyFor(request);
        if (declared == null) {
            return null;
        }
        PartitionKey key = limit.key().partition(request);
        EffectivePolicy effective = limit.policyFor(key, declared);
        return effective == null ? null : new MethodLimit(limit, limit.policy().ofCaller(effective, request), key);
    }

    String name() {
        return limit.name();
    }

    Policy policy() {
        return effective.policy();
    }

    /**
     * The policy in force for the partition now: a contract may have changed since the request
     * came. Those of its begin if it is not counted any more.
     */
    Policy inForce() {
        EffectivePolicy now = limit.policyFor(key, effective);
        if (now == null || now == effective) {
            return policy();
        }
        boolean periods = policy().period() != null && now.policy().period() != null;
        return periods ? now.policy().in(policy().period()) : now.policy();
    }

    /** A check of some units, as far as the policy can hold them. */
    Check check(long units) {
        return new Check(policy(), key, Math.min(units, policy().maxCost()));
    }
}
