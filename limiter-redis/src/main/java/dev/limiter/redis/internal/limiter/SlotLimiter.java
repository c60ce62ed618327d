package dev.limiter.redis.internal.limiter;

import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import java.util.List;

/**
 * Limits that lie in one slot. A decision over several slots asks it once for each, and all have
 * one deadline.
 */
interface SlotLimiter extends RateLimiter {

    /**
     * As {@link #acquire(CheckGroup)}, within what is left of the deadline.
     *
     * @param began when the whole decision began, in ns by the clock that the limiter was made
     *     with
     */
    Decision acquire(CheckGroup group, long began);

    /**
     * As {@link #peek(CheckGroup)}, within what is left of the deadline.
     *
     * @param began when the whole decision began, in ns by the clock that the limiter was made
     *     with
     */
    List<CheckResult> peek(CheckGroup group, long began);
}
