package dev.limiter.operations.internal;

import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.internal.signals.LogThrottle;
import jakarta.ws.rs.core.Response.Status;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The changes in force on this instance. A thread reads them every {@value #PAUSE_MILLIS} ms. A
 * request whose copy is older than {@value #OLDEST_MILLIS} ms reads it first, so an instance that
 * was suspended does not decide by old numbers. While the store is away the last copy holds, each
 * change until its end.
 */
final class LiveChanges implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.limiter.operations");

    private static final long PAUSE_MILLIS = 400;
    private static final long OLDEST_MILLIS = 900;
    private static final long OLDEST_NANOS = TimeUnit.MILLISECONDS.toNanos(OLDEST_MILLIS);
    private static final long AT_MOST_DAYS = 365;
    static final long MOST_WAIT_MILLIS = 500;
    private static final int TRIES = 10;

    private final SharedText text;
    private final LongSupplier nanos;
    private final long mostWaitMillis;
    private final BiConsumer<Changes, Changes> adopted;
    private final ReentrantLock reading = new ReentrantLock();
    private final LogThrottle failures;
    private final Thread thread;
    private volatile boolean closed;

    /** As the store has them. */
    private volatile Changes stored = Changes.NONE;

    /** Those of them that are not over. */
    private volatile Changes present = Changes.NONE;

    /** When the last reading began that the store has answered, or when it failed. */
    private volatile long askedNanos;

    /** When a request last waited in vain. */
    private volatile long gaveUpNanos;

    /** When a change ends. */
    private volatile long endNanos;

    private volatile StoreInstant read;

    /** The store's clock, in ms since 1970, at an instant of this clock. */
    private record StoreInstant(long millis, long atNanos) {}

    /**
     * @param nanos a clock that does not step, in ns
     * @param mostWaitMillis how long a request waits for another one that reads
     * @param adopted puts changes in force; it is given those before, too
     */
    LiveChanges(SharedText text, LongSupplier nanos, long mostWaitMillis, BiConsumer<Changes, Changes> adopted) {
        this.text = text;
        this.nanos = nanos;
        this.mostWaitMillis = mostWaitMillis;
        this.adopted = adopted;
        this.failures = new LogThrottle(nanos);
        this.askedNanos = nanos.getAsLong();
        this.gaveUpNanos = askedNanos - OLDEST_NANOS;
        this.endNanos = askedNanos + TimeUnit.DAYS.toNanos(AT_MOST_DAYS);
        this.read = new StoreInstant(System.currentTimeMillis(), askedNanos);
        this.thread = new Thread(null, this::readOnAndOn, "limiter-operations", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(LiveChanges.class.getClassLoader()); // finds the configuration of the WAR
    }

    void start() {
        read(0);
        thread.start();
    }

    Changes present() {
        return present;
    }

    /** Whether there is a change of a policy, also one that is over by a clock that is ahead. */
    boolean knows(String kind, String policy) {
        return stored.find(kind, policy, "").isPresent();
    }

    /** To be called for each request. */
    void beforeRequest() {
        long now = nanos.getAsLong();
        if (now - gaveUpNanos < OLDEST_NANOS) {
            return;
        }
        if (now - askedNanos > OLDEST_NANOS) {
            lockedSoon(() -> read(OLDEST_NANOS));
        } else if (now - endNanos >= 0) {
            lockedSoon(() -> adopt(stored));
        }
    }

    /**
     * Of requests at one time the first one works, and the others wait for it. If configuration
     * hangs while changes are put in force, they wait once for each {@value #OLDEST_MILLIS} ms.
     */
    private void lockedSoon(Runnable work) {
        try {
            if (reading.tryLock(mostWaitMillis, TimeUnit.MILLISECONDS)) {
                try {
                    work.run();
                } finally {
                    reading.unlock();
                }
            } else {
                gaveUpNanos = nanos.getAsLong();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void readOnAndOn() {
        while (!closed) {
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                read(0);
            } catch (InterruptedException ended) {
                return;
            } catch (RuntimeException | LinkageError failed) {
                LOG.log(System.Logger.Level.ERROR, "Changes of operators are not read", failed);
            }
        }
    }

    /** Reads if the last reading began before this time. */
    private void read(long sinceNanos) {
        locked(() -> {
            long begun = nanos.getAsLong();
            if (begun - askedNanos < sinceNanos) {
                return;
            }
            try {
                take(text.read(stored.version()));
                askedNanos = begun;
            } catch (StoreUnavailableException away) {
                if (failures.times() > 0) {
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "Changes of operators cannot be read: {0}. The last ones stay in force, each until its end",
                            away.getMessage());
                }
                askedNanos = nanos.getAsLong(); // requests do not wait for the next failure
                adopt(stored);
            }
        });
    }

    private void locked(Runnable work) {
        reading.lock();
        try {
            work.run();
        } finally {
            reading.unlock();
        }
    }

    private void take(SharedText.Found found) {
        read = new StoreInstant(found.nowMillis(), nanos.getAsLong());
        Changes there = found.other().map(Changes::parse).orElse(stored);
        if (there.isOlderThan(stored)) {
            there = writeAgain(there);
        }
        adopt(there.isOlderThan(stored) ? stored : there);
    }

    /**
     * The store has lost the text, as after a restart without a file, or has an older one, as after
     * a restart from an old file. Returns what is there then.
     */
    private Changes writeAgain(Changes older) {
        Optional<Changes> other =
                text.write(older.version(), stored.text()).other().map(Changes::parse);
        if (other.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The changes of operators were lost by the store, and were written again");
        }
        return other.orElse(stored);
    }

    /** What is over by a clock that was ahead for a while is in force again. */
    private void adopt(Changes next) {
        long now = nowMillis();
        Changes before = present;
        stored = next;
        present = next.at(now);
        endNanos = nanos.getAsLong()
                + TimeUnit.MILLISECONDS.toNanos(
                        Math.min(present.nextEndMillis() - now, TimeUnit.DAYS.toMillis(AT_MOST_DAYS)));
        if (!present.all().equals(before.all())) {
            try {
                adopted.accept(before, present);
            } catch (RuntimeException wrong) {
                LOG.log(System.Logger.Level.ERROR, "Changes of operators are not in force here", wrong);
            }
        }
    }

    /** The store's clock, in ms since 1970. */
    long nowMillis() {
        StoreInstant last = read;
        return last.millis() + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - last.atNanos());
    }

    /**
     * Makes a change, in force here at once and on every instance within a second.
     *
     * @param change makes the next version of the present one; the same for no change
     * @throws StoreUnavailableException if the store does not answer in time; the change may have
     *     been made
     * @throws RefusedException if there is no room, or others change at the same time
     */
    void change(UnaryOperator<Changes> change) {
        locked(() -> {
            take(text.read(stored.version()));
            for (int i = 0; i < TRIES; i++) {
                Changes next = change.apply(present);
                if (next == present) {
                    return;
                }
                SharedText.Found found = text.write(present.version(), next.text());
                if (found.other().isEmpty()) {
                    adopt(next);
                    return;
                }
                take(found);
            }
            throw new RefusedException(Status.CONFLICT, "Others change limits at the same time; try again");
        });
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
