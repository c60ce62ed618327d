package dev.limiter.servers.war;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.MessageBodyWriter;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Ends that are rare, and no reason to charge twice or to hold a lease. */
@Path("strange")
@Counted
public class StrangeResource {

    @GET
    @Path("plain")
    public String plain() {
        return "plain";
    }

    @GET
    @Path("resumed-with-exception")
    public void resumedWithException(@Suspended AsyncResponse response) {
        response.resume(new IllegalStateException("no mapper knows this, on purpose"));
    }

    @GET
    @Path("resumed-with-mapped")
    public void resumedWithMapped(@Suspended AsyncResponse response) {
        response.resume(new TeapotException());
    }

    /** Ends when a test opens the gate, however the client is by then. */
    @GET
    @Path("late/{end}")
    public void late(@PathParam("end") String end, @Suspended AsyncResponse response) {
        Gate.whenOpen(() -> {
            switch (end) {
                case "unmapped" -> response.resume(new IllegalStateException("no mapper knows this, on purpose"));
                case "mapped" -> response.resume(new TeapotException());
                case "long" -> response.resume("x".repeat(1_000_000));
                default -> response.resume(end);
            }
        });
    }

    @GET
    @Path("late-stage")
    public CompletionStage<String> lateStage() {
        CompletableFuture<String> later = new CompletableFuture<>();
        Gate.whenOpen(() -> later.completeExceptionally(new IllegalStateException("no mapper knows this, on purpose")));
        return later;
    }

    @GET
    @Path("cancelled")
    public void cancelled(@Suspended AsyncResponse response) {
        response.cancel();
    }

    @GET
    @Path("error")
    public String error() {
        throw new AssertionError("an error, on purpose");
    }

    @GET
    @Path("stream-fails")
    public StreamingOutput streamFails() {
        return output -> {
            throw new IllegalStateException("before the first byte, on purpose");
        };
    }

    @GET
    @Path("stream-breaks")
    public StreamingOutput streamBreaks() {
        return output -> {
            output.write("first".getBytes(StandardCharsets.UTF_8));
            output.flush();
            throw new IllegalStateException("after the first byte, on purpose");
        };
    }

    @GET
    @Path("unwritable")
    @Produces("text/unwritable")
    public Unwritable unwritable() {
        return new Unwritable("");
    }

    @GET
    @Path("unwritable-mapped")
    @Produces("text/unwritable")
    public Unwritable unwritableMapped() {
        return new Unwritable("mapped");
    }

    @GET
    @Path("unwritable-io")
    @Produces("text/unwritable")
    public Unwritable unwritableIo() {
        return new Unwritable("io");
    }

    @GET
    @Path("filter-fails")
    public String filterFails() {
        return "filter-fails";
    }

    @GET
    @Path("filter-mapped")
    public String filterMapped() {
        return "filter-mapped";
    }

    @GET
    @Path("endless-events")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public void endlessEvents(@Context SseEventSink sink, @Context Sse sse) {
        Thread thread = new Thread(() -> {
            try {
                while (!sink.isClosed()) {
                    sink.send(sse.newEvent("x".repeat(10_000)))
                            .toCompletableFuture()
                            .join();
                }
            } catch (CompletionException | IllegalStateException gone) {
                sink.close();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** The error page of another resource, which is not limited. */
    @GET
    @Path("page")
    public Response page() {
        return Response.status(409).entity("the page").build();
    }

    /** A body that its writer cannot write. */
    public record Unwritable(String how) {}

    /** Fails as it is told. */
    @Provider
    @Produces("text/unwritable")
    public static class Writer implements MessageBodyWriter<Unwritable> {
        @Override
        public boolean isWriteable(Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
            return type == Unwritable.class;
        }

        @Override
        public void writeTo(
                Unwritable entity,
                Class<?> type,
                Type generic,
                Annotation[] annotations,
                MediaType media,
                MultivaluedMap<String, Object> headers,
                OutputStream output)
                throws IOException {
            switch (entity.how()) {
                case "mapped" -> throw new TeapotException();
                case "io" -> throw new IOException("as a JSON library would, on purpose");
                default -> throw new IllegalStateException("on purpose");
            }
        }
    }

    /** Fails for the two paths that want it. */
    @Provider
    public static class Failing implements ContainerResponseFilter {
        @Override
        public void filter(ContainerRequestContext request, ContainerResponseContext response) {
            if ("filter-fails".equals(response.getEntity())) {
                throw new IllegalStateException("on purpose");
            }
            if ("filter-mapped".equals(response.getEntity())) {
                throw new TeapotException();
            }
        }
    }
}
