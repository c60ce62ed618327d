package dev.limiter.redis.faults;

import dev.limiter.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that begin to ask together, and ask without a pause until they are stopped. A thread
 * without an answer of the store waits a millisecond, so that servers can start on a machine
 * with few processors.
 */
final class Crowd implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;
    private static final long BREATH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ExecutorService threads;
    private final List<Future<?>> asking = new ArrayList<>();
    private final CyclicBarrier together;
    private volatile boolean enough;

    private Crowd(int size) {
        threads = Executors.newFixedThreadPool(size);
        together = new CyclicBarrier(size);
    }

    interface Request {
        /**
         * @param thread from 0
         * @param number from 0 for each thread
         * @return null if there was no decision
         */
        Decision ask(int thread, int number);
    }

    static Crowd of(int size, Request request) {
        Crowd crowd = new Crowd(size);
        for (int i = 0; i < size; i++) {
            int thread = i;
            crowd.asking.add(crowd.threads.submit(() -> crowd.ask(thread, request)));
        }
        return crowd;
    }

    private Void ask(int thread, Request request) throws Exception {
        together.await();
        for (int number = 0; !enough; number++) {
            Decision decision = request.ask(thread, number);
            if (decision == null || decision.fallback()) {
                LockSupport.parkNanos(BREATH_NANOS);
            }
        }
        return null;
    }

    /** Stops all threads after their present call. */
    void stop() {
        enough = true;
        try {
            for (Future<?> each : asking) {
                each.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        enough = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("somebody still asks after " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException interrupted) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
