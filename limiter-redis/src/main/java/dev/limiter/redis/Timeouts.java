package dev.limiter.redis;

import java.time.Duration;

/**
 * How the deadline of a whole decision is shared out. For 150 ms: 40 ms to hear an answer, and up to 70 ms to get a connection that
 * is open, or 50 ms to open one.
 *
 * <p>A call that waited for a connection ends within the deadline even if its answer does not come and the broken connection is
 * replaced by a new one, whose greeting does not come either: 70 + 40 + 40.
 *
 * @param poolWaitMillis to get a connection while all are in use; at least 1
 * @param connectMillis to open a connection; at least 1
 * @param readMillis between sending and hearing; at least 1
 */
record Timeouts(int poolWaitMillis, int connectMillis, int readMillis) {
    static final Duration MIN_DEADLINE = Duration.ofMillis(3);
    static final Duration MAX_DEADLINE = Duration.ofMinutes(1);

    /**
     * @param deadline from {@link #MIN_DEADLINE} to {@link #MAX_DEADLINE}
     */
    static Timeouts within(Duration deadline) {
        int millis = Math.toIntExact(deadline.toMillis());
        int read = Math.max(1, millis * 4 / 15);
        return new Timeouts(Math.max(1, millis - 2 * read), Math.max(1, millis / 3), read);
    }

    /** Whether another call, on a connection that is open, can still end within the deadline. */
    boolean leaveTimeForAnotherCall(long elapsedNanos) {
        return elapsedNanos <= (poolWaitMillis + readMillis) * 1_000_000L;
    }
}
