package dev.limiter.jaxrs.internal.settings;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Reads something that may hang, on a thread of its own, so that the thread that asks for it does not hang. One reading goes on at a
 * time: one that hangs holds one thread, however often it is asked for.
 */
final class BoundedReader<T> {
    private final String name;
    private final Supplier<T> source;
    private FutureTask<T> reading;

    /**
     * @param name of the thread
     * @param source throws unchecked exceptions only
     */
    BoundedReader(String name, Supplier<T> source) {
        this.name = name;
        this.source = source;
    }

    /** Whether a reading goes on. */
    synchronized boolean isReading() {
        return reading != null && !reading.isDone();
    }

    /**
     * What is read; empty if that takes longer than the patience, or the thread is interrupted. The next call then has what that
     * reading has found, once it is over.
     *
     * @param patience how long to wait
     * @throws RuntimeException what the source has thrown; an error of its is thrown, too
     */
    synchronized Optional<T> read(Duration patience) {
        if (reading == null) {
            FutureTask<T> begun = new FutureTask<>(source::get);
            Thread thread = new Thread(null, begun, name, 0, false);
            thread.setDaemon(true);
            thread.start();
            reading = begun; // where no thread can be started, none is waited for
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
