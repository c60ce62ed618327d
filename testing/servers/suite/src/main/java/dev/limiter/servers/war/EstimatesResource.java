package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reserves 1,000 of 10,000 tokens as an estimate, and settles what was used. */
@Path("estimates")
@RequestScoped
public class EstimatesResource {
    private static final long ESTIMATE = 1_000;

    @Inject
    private RateLimits limits;

    /** Settles when a test lets it go. */
    @GET
    @Path("held/{used}")
    @Estimated
    public String held(@PathParam("used") long used) {
        limits.reserve("tokens", ESTIMATE);
        Gate.await();
        limits.settle("tokens", used);
        return limits.remaining("tokens") + " left";
    }

    /** Settles while the response is written. */
    @GET
    @Path("streamed/{used}")
    @Estimated
    public StreamingOutput streamed(@PathParam("used") long used) {
        limits.reserve("tokens", ESTIMATE);
        return output -> {
            output.write("answer".getBytes(StandardCharsets.UTF_8));
            output.flush();
            limits.settle("tokens", used);
        };
    }

    /** Another thread settles, and resumes the response. */
    @GET
    @Path("resumed/{used}")
    @Estimated
    public void resumed(@PathParam("used") long used, @Suspended AsyncResponse response) {
        limits.reserve("tokens", ESTIMATE);
        RateLimits ofThisRequest = limits.ofThisRequest();
        start(() -> {
            try {
                ofThisRequest.settle("tokens", used);
                response.resume("answer");
            } catch (RuntimeException failed) {
                response.resume(failed);
            }
        });
    }

    /** Another thread ends the stage; its stream settles while it is written. */
    @GET
    @Path("later/{used}")
    @Estimated
    public CompletionStage<StreamingOutput> later(@PathParam("used") long used) {
        limits.reserve("tokens", ESTIMATE);
        RateLimits ofThisRequest = limits.ofThisRequest();
        return CompletableFuture.supplyAsync(
                () -> output -> {
                    output.write("answer".getBytes(StandardCharsets.UTF_8));
                    output.flush();
                    ofThisRequest.settle("tokens", used);
                },
                EstimatesResource::start);
    }

    private static void start(Runnable work) {
        new Thread(work).start();
    }

    /** Reserves some times, and answers with a status, settled or not. */
    @GET
    @Path("status/{status}")
    @Estimated
    public Response status(
            @PathParam("status") int status,
            @QueryParam("used") @DefaultValue("-1") long used,
            @QueryParam("times") @DefaultValue("1") int times) {
        for (int i = 0; i < times; i++) {
            limits.reserve("tokens", ESTIMATE);
        }
        if (used >= 0) {
            limits.settle("tokens", used);
        }
        return Response.status(status).entity("answer").build();
    }

    @GET
    @Path("thrown")
    @Estimated
    public String thrown() {
        limits.reserve("tokens", ESTIMATE);
        throw new IllegalStateException("on purpose");
    }

    @GET
    @Path("wrong")
    @RateLimited(name = "words", key = "'all'", algorithm = Algorithm.GCRA, limit = 10, window = "1h")
    public String wrong() {
        try {
            limits.reserve("words", ESTIMATE);
            return "acquired";
        } catch (IllegalArgumentException wrong) {
            return wrong.getMessage();
        }
    }
}
