package dev.limiter.jaxrs.internal.quota;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The threads that run beans, which end when idle. Loads that find no idle thread wait in a
 * queue. A load that would be answered later than its request waits is rejected at once.
 */
final class QuotaThreads implements Executor, AutoCloseable {
    static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int MOST_WAITING = 1_000;
    private static final int RECENT = 8;
    private static final long IDLE_SECONDS = 10;

    private final int most;
    private final LongSupplier nanos;
    private final BlockingQueue<Runnable> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final ThreadPoolExecutor threads;

    /** How long a load takes on a thread; 0 before the first one has ended. */
    private volatile long averageNanos;

    /**
     * @param most threads at once; at least 1
     * @param nanos a clock that does not step, in ns
     */
    QuotaThreads(int most, LongSupplier nanos) {
        this.most = most;
        this.nanos = nanos;
        this.threads = new ThreadPoolExecutor(most, most, IDLE_SECONDS, TimeUnit.SECONDS, waiting, work -> {
            Thread thread = new Thread(null, work, "limiter-quota", 0, false);
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a load with the class loader of the caller's thread.
     *
     * @throws RejectedExecutionException if the load would be late, or the application has ended
     */
    @Override
    public void execute(Runnable load) {
        long now = nanos.getAsLong();
        if (wouldBeLate(now)) {
            throw new RejectedExecutionException("too many loads wait for a thread");
        }
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        threads.execute(new WaitingLoad(() -> run(load, loader), now));
    }

    /**
     * The oldest load that waits shows threads that hang. The length of the queue shows a burst
     * before any load is late: a thread has to end what it runs, what waits, and this load.
     */
    private boolean wouldBeLate(long now) {
        return waiting.peek() instanceof WaitingLoad oldest
                && (now - oldest.sinceNanos > MAX_WAIT_NANOS
                        || (waiting.size() / most + 2) * averageNanos > MAX_WAIT_NANOS);
    }

    private record WaitingLoad(Runnable load, long sinceNanos) implements Runnable {
        @Override
        public void run() {
            load.run();
        }
    }

    private void run(Runnable load, ClassLoader loader) {
        long begunNanos = nanos.getAsLong();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            load.run();
        } finally {
            Thread.currentThread().setContextClassLoader(null);
            took(nanos.getAsLong() - begunNanos);
        }
    }

    /** A moving average. Of two loads that end at the same time it may miss one. */
    private void took(long loadNanos) {
        long before = averageNanos;
        averageNanos = before == 0 ? loadNanos : before + (loadNanos - before) / RECENT;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
