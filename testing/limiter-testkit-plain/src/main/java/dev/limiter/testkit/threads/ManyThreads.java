package dev.limiter.testkit.threads;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that do the same: {@code ManyThreads.call(8, () -> limiter.acquire(policy, key))}. */
public final class ManyThreads {

    private ManyThreads() {}

    /** Lets each thread begin when all are there, and returns what each has said. */
    public static <T> List<T> call(int count, Callable<T> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        CyclicBarrier start = new CyclicBarrier(count);
        Callable<T> together = () -> {
            start.await();
            return task.call();
        };
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> each : threads.invokeAll(Collections.nCopies(count, together), 1, TimeUnit.MINUTES)) {
                results.add(each.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
