package dev.limiter.cdi.internal;

import dev.limiter.RateLimitExceededException;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.internal.bootstrap.CurrentLimits;
import dev.limiter.jaxrs.internal.request.RequestServices;
import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.interceptor.InvocationContext;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Function;

/** One call of a limited method, from the decision to the end of its leases. */
record Call(LimitedMethod method, InvocationContext invocation, RequestServices services) {
    private static final int RETURNED = 200;
    private static final int THREW = 500;

    /** The result of a method that is done when it returns. */
    Object value() throws Exception {
        if (!Threads.mayWait()) {
            throw new IllegalStateException(
                    method.plan().endpoint() + " has a limit, which waits for its store, and the"
                            + " thread " + Thread.currentThread().getName() + " must not wait; call it on a worker"
                            + " (@Blocking), or let it return a CompletionStage or a Uni");
        }
        return proceed(admitted());
    }

    /** The result of a method that is done when its stage is. */
    Object stage() throws Exception {
        return Threads.mayWait() ? value() : Threads.run(this::admitted).thenCompose(this::stageOf);
    }

    private CompletionStage<Object> stageOf(RequestState state) {
        try {
            return ((CompletionStage<?>) proceed(state)).thenApply(Function.identity());
        } catch (Exception thrown) {
            return CompletableFuture.failedStage(thrown);
        }
    }

    /**
     * Decides.
     *
     * @throws RateLimitExceededException if a limit rejects the call
     * @throws StoreUnavailableException if the limiter cannot decide
     */
    RequestState admitted() {
        services.policies().readAgainWhenDue();
        RequestState state = services.begin(true);
        CalledMethod called = new CalledMethod(method, invocation.getParameters());
        if (services.evaluator().decide(state, method.plan().limits(), called) != null) {
            throw state.exceeded();
        }
        return state;
    }

    /** Runs the method. The call ends when it returns; if it returns a stage, with that. */
    private Object proceed(RequestState state) throws Exception {
        Object result;
        try {
            result = run(state);
        } catch (Throwable thrown) {
            end(state, thrown);
            throw thrown;
        }
        if (result instanceof CompletionStage<?> running) {
            CompletionStage<?> ended = ending(running, state);
            return invocation.getMethod().getReturnType().isInstance(ended) ? ended : running;
        }
        end(state, null);
        return result;
    }

    /** Runs the method, whose call somebody else ends. */
    Object run(RequestState state) throws Exception {
        return CurrentLimits.within(state, invocation::proceed);
    }

    /** The same stage, complete once the call has ended: then its caller can call again. */
    private <T> CompletionStage<T> ending(CompletionStage<T> running, RequestState state) {
        CompletionStage<T> ended = running.handle((value, failed) -> end(state, failed)
                        .thenCompose(done -> failed == null
                                ? CompletableFuture.completedStage(value)
                                : CompletableFuture.failedStage(failed)))
                .thenCompose(Function.identity());
        if (running instanceof Future<?> future) {
            ended.whenComplete((value, failed) -> {
                if (failed instanceof CancellationException) {
                    future.cancel(true);
                }
            });
        }
        return ended;
    }

    /**
     * Ends a call; if it has leases, on a thread that may wait. A second time it does nothing.
     */
    CompletableFuture<Void> end(RequestState state, Throwable failed) {
        Callable<Void> end = () -> {
            state.ended(failed == null ? RETURNED : THREW);
            return null;
        };
        return state.mayGiveBack() ? Threads.run(end) : Threads.here(end);
    }
}
