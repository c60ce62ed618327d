package dev.limiter.redis;

import java.time.Duration;

/**
 * How the deadline of a whole decision is shared out. For 150 ms: 20 ms to get a connection from the pool, 50 ms to open one,
 * 80 ms to hear an answer.
 *
 * @param poolWaitMillis to get a connection; at least 1
 * @param connectMillis to open a connection; at least 1
 * @param readMillis between sending and hearing; at least 1
 */
record Timeouts(int poolWaitMillis, int connectMillis, int readMillis) {

    static Timeouts within(Duration deadline) {
        int millis = Math.toIntExact(Math.min(deadline.toMillis(), Integer.MAX_VALUE));
        int pool = Math.max(1, millis * 2 / 15);
        int connect = Math.max(1, millis / 3);
        return new Timeouts(pool, connect, Math.max(1, millis - pool - connect));
    }

    /** Whether a second call, which may again wait for the pool and for its answer, can still end within the deadline. */
    boolean leaveTimeForAnotherCall(long elapsedNanos) {
        return elapsedNanos <= connectMillis * 1_000_000L;
    }
}
