package dev.limiter.redis.internal.topology;

import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import redis.clients.jedis.Connection;

/**
 * Closes the connection of a thread that is late, so that the write or the read that blocks it
 * fails. Sockets need it: they have no time-out for a write, and the one for a read begins again
 * with each piece of a reply.
 *
 * <p>It also wakes callers that are late and that park without a time. A virtual thread that parks
 * for a time makes a timer, which costs more than its part of a shared round trip.
 *
 * <p>Its thread exists only while there is a call to watch. A round trip that is in time costs
 * two atomic steps.
 */
public final class Watchdog implements AutoCloseable {
    private static final int IDLE_LOOKS = 250;

    /** The part of the time to read that is left for a second look. */
    private static final int GRACES = 8;

    /** How long the end of calls may delay the stop of the application. */
    private static final long LONGEST_END_MILLIS = 1_000;

    private final AtomicBoolean looking = new AtomicBoolean();
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final ThreadFactory threads;

    /** The watches, as many as were ever needed at once. */
    private volatile Watch[] watches = {};

    private final Set<Sleeper> sleepers = ConcurrentHashMap.newKeySet();

    private volatile Thread running;
    private volatile boolean closed;

    private int idleLooks;

    /**
     * @param nanos a clock that does not step, in ns
     */
    public Watchdog(Timeouts timeouts, LongSupplier nanos) {
        this(timeouts, nanos, work -> DaemonThread.of("limiter-watchdog", work));
    }

    Watchdog(Timeouts timeouts, LongSupplier nanos, ThreadFactory threads) {
        this.timeouts = timeouts;
        this.nanos = nanos;
        this.threads = threads;
    }

    /**
     * One use of a connection by one thread. Later uses, of any connection, use the object
     * again.
     */
    public static final class Watch {
        private static final int FREE = 0;
        private static final int TAKEN = 1;
        private static final int WATCHED = 2;
        private static final int CUT = 3;
        private static final int PHASES = 4;

        /** The number of the use, times {@link #PHASES}, and the phase. */
        private final AtomicLong state = new AtomicLong();

        private Connection connection;
        private long lateNanos;

        /** The state in which it was first seen late; for the thread of the watchdog. */
        private long seenLate = -1;

        private static int phase(long state) {
            return (int) (state % PHASES);
        }

        private boolean take() {
            long now = state.get();
            return phase(now) == FREE && state.compareAndSet(now, now + TAKEN);
        }

        private void begin(Connection used, long late) {
            connection = used;
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
            long next = now - phase(now) + PHASES;
            boolean inTime = phase(now) == WATCHED && state.compareAndSet(now, next);
            if (!inTime) {
                state.set(next);
            }
            return inTime;
        }

        private boolean isInUse() {
            return phase(state.get()) != FREE;
        }

        /**
         * Cuts the use off if it has been seen late before. A use that was cut off and has not
         * ended is cut off again: it may have opened a socket meanwhile.
         *
         * @return how long the use still has, in ns; 0 or less if it is late
         */
        private long look(long nowNanos) {
            long seen = state.get();
            Connection used = connection;
            long left = lateNanos - nowNanos;
            if (phase(seen) == CUT && state.get() == seen) {
                cut(used);
                return 0;
            }
            if (phase(seen) != WATCHED || left > 0) {
                return phase(seen) == WATCHED ? left : Long.MAX_VALUE;
            }
            if (seenLate == seen && state.compareAndSet(seen, seen + CUT - WATCHED)) {
                cut(used);
            }
            seenLate = seen;
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

    /** A caller that parks. */
    public interface Sleeper {

        /** How long it may still park, in ns; 0 or less if it is late. */
        long leftNanos(Timeouts timeouts, long nowNanos);

        void wake();
    }

    /**
     * Wakes a caller as soon as it is late, and again until {@link #forget}.
     *
     * @return false if it has so little time that it has to park for that time, or if there is no
     *     thread to wake it
     */
    public boolean wakesWhenLate(Sleeper sleeper) {
        if (sleeper.leftNanos(timeouts, nanos.getAsLong()) <= pauseNanos()) {
            return false;
        }
        sleepers.add(sleeper);
        return isLooking() || beginToLook();
    }

    /** A caller parks no more, whatever became of its call. */
    public void forget(Sleeper sleeper) {
        sleepers.remove(sleeper);
    }

    /**
     * Watches the calling thread until {@link Watch#end}.
     *
     * @param connection on which the thread may block
     * @param lateNanos when it is cut off, by the clock of this class
     */
    public Watch watch(Connection connection, long lateNanos) {
        Watch watch = free();
        watch.begin(connection, lateNanos - graceNanos());
        if (!isLooking()) {
            beginToLook();
        }
        return watch;
    }

    private Watch free() {
        for (Watch each : watches) {
            if (each.take()) {
                return each;
            }
        }
        Watch another = new Watch();
        another.take();
        add(another);
        return another;
    }

    private synchronized void add(Watch another) {
        Watch[] more = Arrays.copyOf(watches, watches.length + 1);
        more[watches.length] = another;
        watches = more;
    }

    /**
     * The time between two looks at a late use. A pause of the whole JVM makes all uses late,
     * and most of them need only a moment to read their replies.
     */
    private long graceNanos() {
        return pauseNanos() / GRACES;
    }

    /**
     * Returns false if no thread can be started. Then calls have only the time-outs of their
     * sockets, and the next one tries again.
     */
    private boolean beginToLook() {
        if (!looking.compareAndSet(false, true)) {
            return true;
        }
        try {
            running = threads.newThread(this::lookOnAndOn);
            running.start();
            return true;
        } catch (RuntimeException | Error noThread) {
            looking.set(false);
            return false;
        }
    }

    /** Goes on after an {@link Error}, too: no other thread would ever look again. */
    private void lookOnAndOn() {
        long next = pauseNanos();
        boolean rests = false;
        while (!rests) {
            LockSupport.parkNanos(this, next);
            Thread.interrupted(); // otherwise it would not park again
            next = pauseNanos();
            try {
                next = look();
                rests = rests();
            } catch (RuntimeException | Error failed) {
                // There may be no memory to say so. The next look sees what this one has missed.
            }
        }
    }

    /**
     * Whether the thread ends, since there has been no use for a while. The next use starts it
     * again.
     */
    private boolean rests() {
        idleLooks = isIdle() ? idleLooks + 1 : 0;
        if (idleLooks <= (closed ? 0 : IDLE_LOOKS)) {
            return false;
        }
        idleLooks = 0;
        looking.set(false);
        return isIdle() || !looking.compareAndSet(false, true);
    }

    /** The shortest time to the cut of a use that begins now. */
    private long pauseNanos() {
        return TimeUnit.MILLISECONDS.toNanos(timeouts.leastReadMillis());
    }

    /**
     * Cuts off each use that is late now and was late at the look before. Wakes each caller that is
     * late.
     *
     * @return when to look again, in ns from now
     */
    public long look() {
        long next = pauseNanos();
        long now = nanos.getAsLong();
        for (Watch each : watches) {
            long left = each.look(now);
            next = Math.min(next, left > 0 ? left : graceNanos());
        }
        for (Sleeper each : sleepers) {
            long left = each.leftNanos(timeouts, now);
            if (left <= 0) {
                each.wake();
            }
            next = Math.min(next, left > 0 ? left : graceNanos());
        }
        return next;
    }

    private boolean isIdle() {
        for (Watch each : watches) {
            if (each.isInUse()) {
                return false;
            }
        }
        return !sleepers.iterator().hasNext(); // isEmpty() adds up counters, not at one instant
    }

    /** Whether the thread runs: a connection is in use, or lately was. */
    boolean isLooking() {
        return looking.get();
    }

    /**
     * Each use is still watched to its end; the thread ends as soon as nothing is in use. Waits
     * for that, but not for long: a server warns of threads that outlive their application.
     */
    @Override
    public void close() {
        closed = true;
        Thread last = running;
        if (last != null) {
            LockSupport.unpark(last);
            try {
                last.join(Math.min(timeouts.deadlineMillis(), LONGEST_END_MILLIS));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
