package dev.limiter.redis.internal.topology;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private static final int IDLE_LOOKS = 1_000;

    /** How often the clock of the process beats in the least time to read. */
    private static final int BEATS = 4;

    /** After so many the threads are not late, but lost: some deadlines. */
    private static final int MOST_BEATS_WITHOUT = 100;

    /** The part of that time in which a late use may still end. */
    private static final int GRACES = 2;

    /** How long the end of calls may delay the stop of the application. */
    private static final long LONGEST_END_MILLIS = 1_000;

    private final AtomicBoolean looking = new AtomicBoolean();
    private final Timeouts timeouts;
    private final ProcessClock clock;
    private final ThreadFactory threads;

    /** The watches, as many as were ever needed at once. */
    private final List<Watch> watches = new CopyOnWriteArrayList<>();

    private final Set<Sleeper> sleepers = ConcurrentHashMap.newKeySet();

    private volatile Thread running;
    private volatile boolean closed;

    private int idleLooks;
    private int beatsWithout;

    /**
     * The watchdog of a process that always runs.
     *
     * @param nanos a clock that does not step, in ns
     */
    public Watchdog(Timeouts timeouts, LongSupplier nanos) {
        this(timeouts, new ProcessClock(nanos, Long.MAX_VALUE));
    }

    /** @param clock beats while there is a call to watch */
    public Watchdog(Timeouts timeouts, ProcessClock clock) {
        this(timeouts, clock, work -> DaemonThread.of("limiter-watchdog", work));
    }

    Watchdog(Timeouts timeouts, ProcessClock clock, ThreadFactory threads) {
        this.timeouts = timeouts;
        this.clock = clock;
        this.threads = threads;
    }

    /** The time between two beats of the clock of a process. */
    public static long beatNanos(Timeouts timeouts) {
        return TimeUnit.MILLISECONDS.toNanos(Math.max(1, timeouts.leastReadMillis() / BEATS));
    }

    /** A caller that parks. */
    public interface Sleeper {

        /** How long it may still park, in ns; 0 or less if it is late. */
        long leftNanos(Timeouts timeouts, long nowNanos);

        void wake();
    }

    /**
     * Wakes a caller when it is late, and again until {@link #forget}.
     *
     * @return false if there is no thread to wake it, so that it has to park for its time
     */
    public boolean wakesWhenLate(Sleeper sleeper) {
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
     * @param leftNanos as in {@link #begin}
     */
    public Watch watch(Connection connection, long leftNanos) {
        Watch watch = take(connection);
        begin(watch, leftNanos);
        return watch;
    }

    /** A watch over the calling thread, which {@link #begin} begins. */
    public Watch take(Connection connection) {
        for (int i = 0; i < watches.size(); i++) { // without an iterator: each call comes here
            if (watches.get(i).take(connection)) {
                return watches.get(i);
            }
        }
        Watch another = new Watch();
        another.take(connection);
        watches.add(another);
        return another;
    }

    /**
     * Begins to watch: the server is asked now.
     *
     * @param leftNanos how long the server has; after that time the connection is cut off. The time
     *     in which the process does not run counts, because the server runs; but then the thread
     *     has a moment to read what has come
     */
    public void begin(Watch watch, long leftNanos) {
        watch.begin(clock.realNanos() + leftNanos - graceNanos());
        if (!isLooking()) {
            beginToLook();
        }
    }

    /**
     * How long the process runs between the look that finds a use late and the cut. A pause of
     * the whole JVM makes all uses late, and most of them need only a moment to read their
     * replies.
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
            clock.beat(true);
            running = threads.newThread(this::lookOnAndOn);
            running.start();
            return true;
        } catch (RuntimeException | Error noThread) {
            clock.rest();
            looking.set(false);
            return false;
        }
    }

    /** Goes on after an {@link Error}, too: no other thread would ever look again. */
    private void lookOnAndOn() {
        long next = pauseNanos();
        boolean rests = false;
        while (!rests) {
            LockSupport.parkNanos(this, Math.min(next, clock.beatNanos()));
            Thread.interrupted(); // otherwise it would not park again
            next = pauseNanos();
            try {
                beat();
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
        clock.rest();
        looking.set(false);
        return isIdle() || !looking.compareAndSet(false, true);
    }

    /**
     * The time to the next beat counts if servers are waited for, and nothing else. Otherwise the
     * threads of this process are late, since they get no processor.
     */
    void beat() {
        boolean leavesUnread = watches.stream().filter(Watch::leavesUnread).count() > 0;
        boolean waits = !leavesUnread && watches.stream().anyMatch(Watch::waitsForServer);
        beatsWithout = waits ? 0 : beatsWithout + 1;
        clock.beat(waits || beatsWithout > MOST_BEATS_WITHOUT);
    }

    /** The shortest time to the cut of a use that begins now. */
    private long pauseNanos() {
        return TimeUnit.MILLISECONDS.toNanos(timeouts.leastReadMillis());
    }

    /**
     * Cuts off each use that has been late while the process ran for a moment. Wakes each caller
     * that is late.
     *
     * @return when to look again, in ns from now
     */
    public long look() {
        long next = pauseNanos();
        long ran = clock.getAsLong();
        for (Watch each : watches) {
            long left = each.look(clock.realNanos(), ran, graceNanos());
            next = Math.min(next, left > 0 ? left : clock.beatNanos());
        }
        for (Sleeper each : sleepers) {
            long left = each.leftNanos(timeouts, ran);
            if (left <= 0) {
                each.wake();
            }
            next = Math.min(next, left > 0 ? left : clock.beatNanos());
        }
        return next;
    }

    private boolean isIdle() {
        return watches.stream().noneMatch(Watch::isInUse)
                && !sleepers.iterator().hasNext(); // isEmpty() adds up counters, not at one instant
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
