package dev.limiter.queue;

import java.time.Duration;

/**
 * How full a {@link BoundedQueue} was at one instant.
 *
 * @param waiting entries that no consumer has taken; at least 0
 * @param taken entries that a consumer holds, and has not acknowledged; at least 0
 * @param dead entries that were delivered in vain, of those that are remembered; at least 0
 * @param age how long the first of those that wait has waited; zero if none does
 */
public record QueueStats(long waiting, long taken, long dead, Duration age) {

    /** {@return what the capacity bounds: {@code waiting + taken}} */
    public long length() {
        return waiting + taken;
    }
}
