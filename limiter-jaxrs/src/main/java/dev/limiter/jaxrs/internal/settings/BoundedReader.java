package dev.limiter.jaxrs.internal.settings;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Reads a source that may hang, on a thread of its own, so that its caller does not hang. Only
 * one reading goes on at a time: a reading that hangs holds a single thread, however many
 * callers ask.
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
     * The content; empty if the reading takes longer than the patience, or the thread is
     * interrupted. A later call then gets the result of that reading, once it is over.
     *
     * @param patience how long to wait
     * @throws RuntimeException of the source; its errors are thrown, too
     */
    synchronized Optional<T> read(Duration patience) {
        if (reading == null) {
            FutureTask<T> begun = new FutureTask<>(source::get);
            Thread thread = new Thread(null, begun, name, 0, false);
            thread.setDaemon(true);
            thread.start();
            reading = begun; // only after the thread has started, so that no caller waits for none
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
