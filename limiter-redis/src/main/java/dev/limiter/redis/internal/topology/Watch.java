package dev.limiter.redis.internal.topology;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.Connection;

/**
 * The {@link Watchdog}'s view of one use of a connection by one thread. Later uses, of any
 * connection, use the object again.
 */
public final class Watch {
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int WATCHED = 2;
    private static final int CUT = 3;
    private static final int PHASES = 4;

    /** A thread with a reply to read has longer, and not for ever: it may block in a write. */
    private static final int GRACES_TO_READ = 4;

    /** The number of the use, times {@link #PHASES}, and the phase. */
    private final AtomicLong state = new AtomicLong();

    private Connection connection;
    private long lateNanos;

    /** The state in which it was first seen late; for the thread of the watchdog. */
    private long seenLate = -1;

    /** How long the process had run then. */
    private long firstLateNanos;

    /** How long it had run then, or when a reply last lay unread. */
    private long seenLateNanos;

    /** The state in which a reply lay unread at the beat before. */
    private long seenUnread = -1;

    private static int phase(long state) {
        return (int) (state % PHASES);
    }

    /** @return whether it was free, and is now of this connection */
    boolean take(Connection used) {
        long now = state.get();
        boolean taken = phase(now) == FREE && state.compareAndSet(now, now + TAKEN);
        if (taken) {
            connection = used;
        }
        return taken;
    }

    void begin(long late) {
        lateNanos = late;
        state.set(state.get() + WATCHED - TAKEN);
    }

    /** Whether the connection was cut off. */
    public boolean isCut() {
        return phase(state.get()) == CUT;
    }

    /**
     * Ends the use.
     *
     * @return whether it was in time; if not, the connection is closed
     */
    public boolean end() {
        long now = state.get();
        return phase(state.getAndSet(now - phase(now) + PHASES)) != CUT;
    }

    boolean waitsForServer() {
        return phase(state.get()) == WATCHED && !hasBytes(connection);
    }

    /** Whether its thread has not read, since the beat before, what has come. */
    boolean leavesUnread() {
        long seen = state.get();
        boolean unread = phase(seen) == WATCHED && hasBytes(connection);
        boolean since = unread && seenUnread == seen;
        seenUnread = unread ? seen : -1;
        return since;
    }

    private static boolean hasBytes(Connection connection) {
        return connection instanceof StrictConnection strict && strict.hasBytes();
    }

    boolean isInUse() {
        return phase(state.get()) != FREE;
    }

    /**
     * Cuts the use off if it has been late while the process ran for a moment. A use that
     * was cut off and has not ended is cut off again: it may have opened a socket meanwhile.
     *
     * @return how long the use still has, in ns; 0 or less if it is late
     */
    long look(long realNanos, long ranNanos, long graceNanos) {
        long seen = state.get();
        Connection used = connection;
        long left = lateNanos - realNanos;
        if (phase(seen) == CUT && state.get() == seen) {
            cut(used);
            return 0;
        }
        if (phase(seen) != WATCHED || left > 0) {
            return phase(seen) == WATCHED ? left : Long.MAX_VALUE;
        }
        firstLateNanos = seenLate != seen ? ranNanos : firstLateNanos;
        boolean mayRead = ranNanos - firstLateNanos < GRACES_TO_READ * graceNanos && hasBytes(used);
        if (seenLate != seen || mayRead) {
            seenLate = seen;
            seenLateNanos = ranNanos;
        } else if (ranNanos - seenLateNanos >= graceNanos && state.compareAndSet(seen, seen + CUT - WATCHED)) {
            cut(used);
        }
        return 0;
    }

    /** Closes a connection, whatever its thread does. */
    public static void cut(Connection connection) {
        try {
            connection.forceDisconnect();
        } catch (IOException | RuntimeException closing) {
            // It is closed all the same.
        }
    }
}
