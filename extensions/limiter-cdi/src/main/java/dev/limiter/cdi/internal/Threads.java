package dev.limiter.cdi.internal;

import dev.limiter.cdi.CallThreads;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Runs what may wait for the store: here if this thread may wait, else on a worker. */
final class Threads {
    private static final CallThreads OF_SERVER = ServiceLoader.load(CallThreads.class, Threads.class.getClassLoader())
            .findFirst()
            .orElseGet(() -> new CallThreads() {});

    private Threads() {}

    static boolean mayWait() {
        return OF_SERVER.mayWait();
    }

    /** What the work returns or throws. What depends on it goes on where the caller works. */
    static <T> CompletableFuture<T> run(Callable<T> work) {
        if (mayWait()) {
            return here(work);
        }
        Executor here = OF_SERVER.here();
        return CompletableFuture.supplyAsync(() -> here(work), OF_SERVER.workers())
                .thenCompose(Function.identity())
                .whenCompleteAsync((value, failed) -> {}, here);
    }

    /** The same on this thread, for what does not wait. */
    static <T> CompletableFuture<T> here(Callable<T> work) {
        try {
            return CompletableFuture.completedFuture(work.call());
        } catch (Throwable thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }
}
