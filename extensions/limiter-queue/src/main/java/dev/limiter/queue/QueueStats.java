package dev.limiter.queue;

import java.time.Duration;

/**
 * How full a {@link BoundedQueue} was at one instant.
 *
 * @param waiting entries that no consumer has taken; at least 0
 * @param taken entries that a consumer holds and has not acknowledged; at least 0
 * @param dead remembered entries that were delivered too often; at least 0
 * @param age how long the first waiting entry has waited; zero if none waits
 */
public record QueueStats(long waiting, long taken, long dead, Duration age) {

    /** {@return the number that the capacity limits: {@code waiting + taken}} */
    public long length() {
        return waiting + taken;
    }
}
