package dev.limiter.redis.internal.topology;

import java.time.Duration;

/**
 * The parts of the deadline of a whole decision. For 150 ms: up to 70 ms to be sent while others
 * are under way, and 50 ms to connect if there is no connection (80 ms with TLS, password and
 * database). The reply has the rest of the deadline. A call for whose reply less than 40 ms
 * would be left is not sent.
 *
 * @param waitMillis to be sent, while all permitted round trips are under way; at least 1
 * @param connectMillis to resolve the name of a server and to connect to one of its addresses;
 *     at least 1
 * @param leastReadMillis the least time between sending and the reply; at least 1
 */
public record Timeouts(int waitMillis, int connectMillis, int leastReadMillis) {
    /**
     * @param deadline from 3 ms to 1 min
     */
    public static Timeouts within(Duration deadline) {
        int millis = Math.toIntExact(deadline.toMillis());
        int read = Math.max(1, millis * 4 / 15);
        return new Timeouts(Math.max(1, millis - 2 * read), Math.max(1, millis / 3), read);
    }

    /** The deadline: no caller waits longer, whatever happens to its call. */
    public int deadlineMillis() {
        return waitMillis + 2 * leastReadMillis;
    }

    /**
     * The time to open a connection, with password and database: the rest of the deadline after
     * waiting.
     */
    public int openMillis() {
        return 2 * leastReadMillis;
    }

    /** Whether a further call, on an open connection, can still end within the deadline. */
    public boolean leaveTimeForAnotherCall(long elapsedNanos) {
        return elapsedNanos <= (waitMillis + leastReadMillis) * 1_000_000L;
    }
}
