package dev.limiter.redis.internal.topology;

import java.time.Duration;

/**
 * How the deadline of a whole decision is shared out. For 150 ms: up to 70 ms to be sent while others are under way, 50 ms to connect
 * if there is no connection (80 ms with its password and database), and 40 ms to hear the answer. What could not be heard within the deadline any more, since it waited
 * and then had to open a connection, too, is not sent.
 *
 * @param waitMillis to be sent, while as many as may be are under way; at least 1
 * @param connectMillis to resolve the name of a server and to connect to one of its addresses; at least 1
 * @param readMillis between sending and hearing; at least 1
 */
public record Timeouts(int waitMillis, int connectMillis, int readMillis) {
    public static final Duration MIN_DEADLINE = Duration.ofMillis(3);
    public static final Duration MAX_DEADLINE = Duration.ofMinutes(1);

    /**
     * @param deadline from {@link #MIN_DEADLINE} to {@link #MAX_DEADLINE}
     */
    public static Timeouts within(Duration deadline) {
        int millis = Math.toIntExact(deadline.toMillis());
        int read = Math.max(1, millis * 4 / 15);
        return new Timeouts(Math.max(1, millis - 2 * read), Math.max(1, millis / 3), read);
    }

    /** No caller waits longer, whatever becomes of what was sent. */
    public int deadlineMillis() {
        return waitMillis + 2 * readMillis;
    }

    /** To open a connection with all that belongs to it, such as a password: what is left of the deadline after waiting. */
    public int openMillis() {
        return 2 * readMillis;
    }

    /** What is left, in ms, to hear the last answer of a round trip; at least 1. */
    public int leftToRead(long sinceSentNanos) {
        return Math.max(1, readMillis - (int) Math.min(readMillis, sinceSentNanos / 1_000_000));
    }

    /** Whether another call, on a connection that is open, can still end within the deadline. */
    public boolean leaveTimeForAnotherCall(long elapsedNanos) {
        return elapsedNanos <= (waitMillis + readMillis) * 1_000_000L;
    }
}
