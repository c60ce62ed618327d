package dev.limiter.internal.store;

import dev.limiter.CheckGroup;

/**
 * The rejections that a limiter answers without its store. Extensions get it from
 * {@link dev.limiter.RateLimiter#unwrap}; a limiter that caches none has none.
 */
public interface CachedRejections {
    /**
     * {@return whether a group would be rejected now without asking the store}
     *
     * @param group a single check, perhaps with its gate; no other is ever cached
     */
    boolean answers(CheckGroup group);

    /** Forgets all, also those of calls that are under way. */
    void forgetAll();
}
