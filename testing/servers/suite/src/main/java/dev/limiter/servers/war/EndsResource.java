package dev.limiter.servers.war;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Every end that a request can take. */
@Path("ends")
@Counted
public class EndsResource {

    @GET
    @Path("plain")
    public String plain() {
        return "plain";
    }

    @GET
    @Path("nothing")
    public void nothing() {}

    @GET
    @Path("resumed")
    public void resumed(@Suspended AsyncResponse response) {
        Gate.whenOpen(() -> response.resume("resumed"));
    }

    @GET
    @Path("timed-out")
    public void timedOut(@Suspended AsyncResponse response) {
        response.setTimeout(100, TimeUnit.MILLISECONDS);
    }

    @GET
    @Path("stage")
    public CompletionStage<String> stage() {
        CompletableFuture<String> later = new CompletableFuture<>();
        Gate.whenOpen(() -> later.complete("stage"));
        return later;
    }

    @GET
    @Path("failing-stage")
    public CompletionStage<String> failingStage() {
        return CompletableFuture.failedFuture(new IllegalStateException("a stage that fails on purpose"));
    }

    @GET
    @Path("mapped")
    public String mapped() {
        throw new TeapotException();
    }

    @GET
    @Path("unmapped")
    public String unmapped() {
        throw new IllegalStateException("no mapper knows this, on purpose");
    }

    @GET
    @Path("missing")
    public String missing() {
        throw new NotFoundException();
    }

    @GET
    @Path("server-error")
    public Response serverError() {
        return Response.status(503).entity("busy").build();
    }

    @GET
    @Path("forward")
    public void forward(@Context HttpServletRequest request) throws IOException, ServletException {
        OriginalRequest.forward(request, "/ends/plain");
    }

    @GET
    @Path("error")
    public void error(@Context HttpServletResponse response) throws IOException {
        response.sendError(410);
    }

    /** The error page of 410: see the web.xml that the tests deploy. */
    @GET
    @Path("error-page")
    public Response errorPage() {
        return Response.status(410).entity("the page of an error").build();
    }

    @GET
    @Path("stream")
    public StreamingOutput stream() {
        return output -> {
            output.write("first ".getBytes(StandardCharsets.UTF_8));
            output.flush();
            Gate.await();
            output.write("last".getBytes(StandardCharsets.UTF_8));
        };
    }

    @GET
    @Path("endless")
    public StreamingOutput endless() {
        return output -> {
            byte[] much = new byte[64 * 1024];
            while (true) {
                output.write(much);
                output.flush();
            }
        };
    }

    @GET
    @Path("events")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public void events(@Context SseEventSink sink, @Context Sse sse) {
        sink.send(sse.newEvent("first"));
        Gate.whenOpen(() -> {
            sink.send(sse.newEvent("last")).toCompletableFuture().join();
            sink.close();
        });
    }

    @Path("sub")
    public Sub sub() {
        return new Sub();
    }

    /** Found by the first request only. */
    @Counted
    public static class Sub {
        @GET
        public String get() {
            return "sub";
        }
    }
}
