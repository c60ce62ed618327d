package dev.limiter.jaxrs.internal.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Reads a source that may hang, on a thread of its own, so that its caller does not hang. One
 * reading goes on at a time. A reading that hangs is given up after 10 s, and the next call begins
 * another: the source may be another one by now, such as a file on a new mount. The pause before
 * the next one doubles, up to 5 minutes, and at most {@value #MOST} threads hang.
 */
final class BoundedReader<T> {
    static final int MOST = 16;
    private static final Duration SHORTEST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final String name;
    private final Supplier<T> source;
    private final LongSupplier nanos;
    private final List<FutureTask<T>> givenUp = new ArrayList<>();
    private FutureTask<T> reading;
    private long began;

    /**
     * @param name of the thread
     * @param source throws unchecked exceptions only
     * @param nanos a clock that does not step, in ns
     */
    BoundedReader(String name, Supplier<T> source, LongSupplier nanos) {
        this.name = name;
        this.source = source;
        this.nanos = nanos;
    }

    /** Whether a reading goes on that is not to be given up yet. */
    synchronized boolean isReading() {
        return hangs() && !isToBeGivenUp();
    }

    /** Whether so many readings hang that no further one begins. */
    synchronized boolean isExhausted() {
        return hangs() && givenUp.size() >= MOST - 1;
    }

    private boolean hangs() {
        givenUp.removeIf(FutureTask::isDone);
        return reading != null && !reading.isDone();
    }

    private boolean isToBeGivenUp() {
        long pause = Math.min(SHORTEST.toNanos() << givenUp.size(), LONGEST.toNanos());
        return nanos.getAsLong() - began >= pause && givenUp.size() < MOST - 1;
    }

    /**
     * The content; empty if the reading takes longer than the patience, or the thread is
     * interrupted. A later call then gets the result of that reading, once it is over, unless it
     * was given up.
     *
     * @param patience how long to wait
     * @throws RuntimeException of the source; its errors are thrown, too
     */
    synchronized Optional<T> read(Duration patience) {
        if (hangs() && isToBeGivenUp()) {
            givenUp.add(reading);
            reading = null;
        }
        if (reading == null) {
            FutureTask<T> begun = new FutureTask<>(source::get);
            Thread thread = new Thread(null, begun, name, 0, false);
            thread.setDaemon(true);
            thread.start();
            reading = begun; // only after the thread has started, so that no caller waits for none
            began = nanos.getAsLong();
        }
        try {
            Optional<T> read = Optional.of(reading.get(patience.toNanos(), TimeUnit.NANOSECONDS));
            reading = null;
            return read;
        } catch (TimeoutException late) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException failed) {
            reading = null;
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failed.getCause();
        }
    }
}
