package dev.limiter.cdi;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server with one thread that must not wait, and workers that may. All other threads may. */
public final class EventLoop implements CallThreads {
    private static final ExecutorService LOOP = threads("event-loop");
    private static final ExecutorService WORKERS = threads("worker");

    private static ExecutorService threads(String name) {
        return Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** What the event loop makes of a task. */
    static <T> T run(Callable<T> task) throws Exception {
        return LOOP.submit(task).get(30, TimeUnit.SECONDS);
    }

    /** Keeps the workers busy until the next call of {@link #release}. */
    static CountDownLatch hold() {
        CountDownLatch held = new CountDownLatch(1);
        WORKERS.execute(() -> {
            try {
                held.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        return held;
    }

    /** Lets the workers go on, and returns when nothing is left to do. */
    static void release(CountDownLatch held) throws Exception {
        held.countDown();
        for (int hop = 0; hop < 5; hop++) {
            WORKERS.submit(() -> {}).get(30, TimeUnit.SECONDS);
            LOOP.submit(() -> {}).get(30, TimeUnit.SECONDS);
        }
    }

    static String thread() {
        return Thread.currentThread().getName();
    }

    @Override
    public boolean mayWait() {
        return !thread().equals("event-loop");
    }

    @Override
    public Executor workers() {
        return WORKERS;
    }

    @Override
    public Executor here() {
        return LOOP;
    }
}
