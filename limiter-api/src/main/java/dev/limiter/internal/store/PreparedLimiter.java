package dev.limiter.internal.store;

import dev.limiter.Policy;

/**
 * A limiter that has something to say of a policy before the first request. The application gets
 * it from {@link dev.limiter.RateLimiter#unwrap}.
 */
public interface PreparedLimiter {

    /**
     * Takes note of a policy, and logs what an operator should know of it.
     *
     * @param policy that is in force
     */
    void prepare(Policy policy);
}
