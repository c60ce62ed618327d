package dev.limiter.cdi.internal;

import dev.limiter.jaxrs.internal.request.RequestState;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The results of methods that return a {@code Uni} or a {@code Multi}. Each subscription is a call:
 * it is decided, and runs the method. A class of its own, so that Mutiny's types are loaded only
 * where they exist.
 */
final class MutinyResults {
    private MutinyResults() {}

    static Object uni(Call call) {
        return Uni.createFrom().deferred(() -> {
            CompletableFuture<RequestState> asked = Threads.run(call::admitted);
            return Uni.createFrom()
                    .completionStage(asked.copy())
                    .onItem()
                    .transformToUni(state -> Uni.createFrom()
                            .<Object>deferred(() -> result(call, state, Uni.createFrom()::failure))
                            .onItemOrFailure()
                            .call((item, failed) -> ended(call, state, failed)))
                    .onCancellation()
                    .invoke(() -> endIfAdmitted(call, asked));
        });
    }

    static Object multi(Call call) {
        return Multi.createFrom().deferred(() -> {
            CompletableFuture<RequestState> asked = Threads.run(call::admitted);
            return Uni.createFrom()
                    .completionStage(asked.copy())
                    .onItem()
                    .transformToMulti(state -> Multi.createFrom()
                            .<Object>deferred(() -> result(call, state, Multi.createFrom()::failure))
                            .onTermination()
                            .call((failed, cancelled) -> ended(call, state, failed)))
                    .onCancellation()
                    .invoke(() -> endIfAdmitted(call, asked));
        });
    }

    @SuppressWarnings("unchecked") // the declared type of the method
    private static <T> T result(Call call, RequestState state, Function<Throwable, T> failed) {
        try {
            return (T) call.run(state);
        } catch (Throwable thrown) {
            return failed.apply(thrown);
        }
    }

    private static Uni<Void> ended(Call call, RequestState state, Throwable failed) {
        return Uni.createFrom().completionStage(call.end(state, failed));
    }

    /** A subscriber may leave before the decision. */
    private static void endIfAdmitted(Call call, CompletableFuture<RequestState> asked) {
        asked.thenAccept(state -> call.end(state, null));
    }
}
