package dev.limiter.jaxrs.internal.numbers;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The threads that run beans, which end when idle. If all hang, further loads are rejected at
 * once, so that their requests do not wait. All hang if none has begun or ended a load for as
 * long as a request would wait.
 */
final class LoaderThreads implements Executor, AutoCloseable {
    private static final int MOST_WAITING = 1_000;
    private static final long IDLE_SECONDS = 10;

    private final int most;
    private final LongSupplier nanos;
    private final ThreadPoolExecutor threads;
    private final AtomicInteger running = new AtomicInteger();
    private volatile long lastMoveNanos;

    /**
     * @param most threads at once; at least 1
     * @param nanos a clock that does not step, in ns
     */
    LoaderThreads(int most, LongSupplier nanos) {
        this.most = most;
        this.nanos = nanos;
        this.lastMoveNanos = nanos.getAsLong();
        this.threads = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), work -> {
                    Thread thread = new Thread(null, work, "limiter-numbers", 0, false);
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a load with the class loader of the caller's thread.
     *
     * @throws RejectedExecutionException if all threads hang, or the application has ended
     */
    @Override
    public void execute(Runnable load) {
        if (running.get() == most && nanos.getAsLong() - lastMoveNanos > NumbersLoader.MAX_WAIT_NANOS) {
            throw new RejectedExecutionException("all threads hang");
        }
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        threads.execute(() -> run(load, loader));
    }

    private void run(Runnable load, ClassLoader loader) {
        lastMoveNanos = nanos.getAsLong();
        running.incrementAndGet();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            load.run();
        } finally {
            Thread.currentThread().setContextClassLoader(null);
            lastMoveNanos = nanos.getAsLong();
            running.decrementAndGet();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
