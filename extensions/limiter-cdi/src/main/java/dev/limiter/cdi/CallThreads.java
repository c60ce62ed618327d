package dev.limiter.cdi;

import java.util.concurrent.Executor;

/**
 * Says on which threads a limited method may wait for the store, for servers that have event loops.
 * It is found by {@link java.util.ServiceLoader}. Without one, every thread may wait.
 *
 * <p>On a thread that must not wait, a method that returns a {@code CompletionStage}, {@code Uni} or
 * {@code Multi} is decided on another thread, and runs where it was called. Any other method throws
 * an {@link IllegalStateException} there.
 */
public interface CallThreads {

    /** {@return whether the present thread may wait for the store} */
    default boolean mayWait() {
        return true;
    }

    /**
     * {@return what runs work on threads that may wait, with the CDI contexts of the present thread}
     */
    default Executor workers() {
        return Runnable::run;
    }

    /** {@return what runs work where the present thread works, such as on its event loop} */
    default Executor here() {
        return Runnable::run;
    }
}
