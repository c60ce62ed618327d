package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.CONCURRENCY;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Methods of which one call may run at once; each goes on when the test says so. */
@Path("held")
public class Held {
    /** Counts the calls that have begun. */
    static final AtomicInteger BEGUN = new AtomicInteger();

    static volatile CompletableFuture<String> end = new CompletableFuture<>();

    @Inject
    RateLimits limits;

    private static CompletableFuture<String> begun() {
        BEGUN.incrementAndGet();
        return end;
    }

    @GET
    @Path("method")
    @RateLimited(name = "held-method", key = "'all'", algorithm = CONCURRENCY, limit = 1)
    public String method() {
        return begun().join();
    }

    /** A method without limits, which asks for one. */
    @GET
    @Path("code")
    public String code() {
        limits.acquire("held-code", "all");
        return begun().join();
    }

    @GET
    @Path("uni")
    @RateLimited(name = "held-uni", key = "'all'", algorithm = CONCURRENCY, limit = 1)
    public Uni<String> uni() {
        return Uni.createFrom().completionStage(Held::begun);
    }

    @GET
    @Path("stage")
    @RateLimited(name = "held-stage", key = "'all'", algorithm = CONCURRENCY, limit = 1)
    public CompletionStage<String> stage() {
        return begun();
    }

    @GET
    @Path("failing")
    @RateLimited(name = "held-failing", key = "'all'", algorithm = CONCURRENCY, limit = 1)
    public Uni<String> failing() {
        return Uni.createFrom().failure(new IllegalStateException("on purpose"));
    }

    @GET
    @Path("multi")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @RateLimited(name = "held-multi", key = "'all'", algorithm = CONCURRENCY, limit = 1)
    public Multi<String> multi() {
        return Uni.createFrom().completionStage(Held::begun).toMulti();
    }

    @GET
    @Path("sink")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @RateLimited(name = "held-sink", key = "'all'", algorithm = CONCURRENCY, limit = 1)
    public void sink(@Context SseEventSink sink, @Context Sse sse) {
        begun().thenAcceptAsync(
                        text -> sink.send(sse.newEvent(text)).thenRun(sink::close),
                        CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS)); // Quarkus opens the sink last
    }
}
