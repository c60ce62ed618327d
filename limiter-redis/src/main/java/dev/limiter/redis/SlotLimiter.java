package dev.limiter.redis;

import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.Group;
import dev.limiter.RateLimiter;
import java.util.List;

/** Limits that lie in one slot. A decision over several slots asks it once for each, and all have one deadline. */
interface SlotLimiter extends RateLimiter {

    /**
     * As {@link #acquire(Group)}, within what is left of the deadline.
     *
     * @param began when the whole decision began, in ns by the clock that the limiter was made with
     */
    Decision acquire(Group group, long began);

    /**
     * As {@link #peek(Group)}, within what is left of the deadline.
     *
     * @param began when the whole decision began, in ns by the clock that the limiter was made with
     */
    List<Answer> peek(Group group, long began);
}
