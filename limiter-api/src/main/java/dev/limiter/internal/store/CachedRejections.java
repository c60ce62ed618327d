package dev.limiter.internal.store;

import dev.limiter.Check;

/**
 * The rejections that a limiter answers without its store. Extensions get it from
 * {@link dev.limiter.RateLimiter#unwrap}; a limiter that caches none has none.
 */
public interface CachedRejections {
    /**
     * {@return whether a check would be rejected now without asking the store}
     *
     * @param check the only one of its group
     */
    boolean answers(Check check);

    /** Forgets all, also those of calls that are under way. */
    void forgetAll();
}
