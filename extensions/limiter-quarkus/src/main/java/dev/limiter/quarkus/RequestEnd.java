package dev.limiter.quarkus;

import dev.limiter.jaxrs.internal.request.RequestState;
import dev.limiter.jaxrs.internal.request.ResponseHeaders;
import io.quarkus.runtime.ExecutorRecorder;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.common.util.CaseInsensitiveMap;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.reactivestreams.Publisher;

/**
 * The end of one request that has limits: its client is told, and leases end, and units that the
 * status does not count come back. That happens before the first byte of the response, so that the
 * client's next request finds it done; of a {@code Multi}, before the last one; of a
 * {@code RestMulti} or an {@code SseEventSink}, after it. If the client leaves, it happens when the
 * work is over.
 */
final class RequestEnd {
    private static final String PROPERTY = RequestEnd.class.getName();
    private static final WriterInterceptor[] NONE = {};

    private final ResteasyReactiveRequestContext request;
    private final RequestState state;
    private final ResponseHeaders headers;
    private final HttpServerResponse response;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean told;
    private volatile boolean worked;
    private volatile boolean closed;
    private volatile boolean clientLeft;

    RequestEnd(ResteasyReactiveRequestContext request, RequestState state, ResponseHeaders headers) {
        this.request = request;
        this.state = state;
        this.headers = headers;
        this.response = request.unwrap(HttpServerResponse.class);
    }

    /** That of a request; null if it has met no limit. */
    static RequestEnd of(ResteasyReactiveRequestContext request) {
        return (RequestEnd) request.getProperty(PROPERTY);
    }

    /** Has Quarkus tell the end of the method, and of the response. */
    void watch() {
        request.setProperty(PROPERTY, this);
        request.registerCompletionCallback(thrown -> {
            worked = true;
            endIfOver();
        });
        RoutingContext routing = request.unwrap(RoutingContext.class);
        routing.addHeadersEndHandler(now -> tellUnfiltered());
        routing.addEndHandler(how -> {
            clientLeft = how.failed();
            closed = true;
            endIfOver();
        });
    }

    /**
     * Tells the client, before its response is written. If that may ask the store, the present
     * handler is called again on another thread.
     */
    void respond(ContainerResponseContext answer) {
        if (state.mayGiveBack() && !Threads.mayBlock(request)) {
            return;
        }
        headers.write(request.getContainerRequestContext(), answer);
        told = true;
        if (!state.mayGiveBack()) {
            return;
        }
        boolean isWrittenAtOnce = answer.hasEntity()
                && !request.getMethod().equals(HttpMethod.HEAD)
                && !answer.getEntityClass().getName().startsWith("io.vertx.");
        if (isWrittenAtOnce) {
            interceptWriter();
        } else {
            finish();
        }
    }

    /** For this response alone, since Quarkus writes faster without interceptors. */
    private void interceptWriter() {
        WriterInterceptor[] others = Objects.requireNonNullElse(request.getWriterInterceptors(), NONE);
        request.setWriterInterceptors(
                Stream.concat(Stream.of(this::write), Stream.of(others)).toArray(WriterInterceptor[]::new));
    }

    /** Quarkus closes the stream before the interceptors return, and with it sends the last byte. */
    private void write(WriterInterceptorContext body) throws IOException {
        body.setOutputStream(new FilterOutputStream(body.getOutputStream()) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }

            @Override
            public void close() throws IOException {
                finish();
                out.close();
            }
        });
        body.proceed();
    }

    /** Ends the request before the end of its stream, which would send the last byte. */
    void endWithStream() {
        if (state.mayGiveBack() && request.getResult() instanceof Multi<?> events && !(events instanceof RestMulti)) {
            Uni<Void> ending = Uni.createFrom().<Void>item(() -> {
                finish();
                return null;
            });
            request.setResult(
                    events.onCompletion().call(() -> ending.runSubscriptionOn(ExecutorRecorder.getCurrent())));
        }
    }

    /** Nothing comes back for a client that left. */
    private void finish() {
        if (clientLeft) {
            state.brokeOff();
        } else {
            state.finished();
        }
    }

    /** Tells a client that a limit has refused. Response filters do not see all of them. */
    void tellRefused() {
        Response refusal = (Response) request.getResult();
        tell(refusal.getStatus(), refusal.getHeaders());
    }

    /** Tells the client of a response that met no response filter, when its headers are written. */
    private void tellUnfiltered() {
        if (told) {
            return;
        }
        MultivaluedMap<String, Object> fields = new CaseInsensitiveMap<>();
        response.headers().forEach(field -> fields.add(field.getKey(), field.getValue()));
        tell(response.getStatusCode(), fields);
        fields.forEach((name, values) ->
                response.putHeader(name, values.stream().map(String::valueOf).toList()));
    }

    private void tell(int status, MultivaluedMap<String, Object> fields) {
        ContainerResponseContext answer = (ContainerResponseContext) Proxy.newProxyInstance(
                RequestEnd.class.getClassLoader(),
                new Class<?>[] {ContainerResponseContext.class},
                (proxy, method, arguments) -> method.getName().equals("getStatus") ? status : fields);
        headers.write(request.getContainerRequestContext(), answer);
        told = true;
    }

    /** Ends the leases when the method has failed; the exception may have no mapper. */
    void failed() {
        if (state.mayGiveBack() && Threads.mayBlock(request)) {
            state.releaseLeases();
        }
    }

    /**
     * Ends the request when its method has ended, and its response. A method goes on without its
     * client, and holds its lease; a stream does not, and Quarkus does not tell its end.
     */
    private void endIfOver() {
        if (closed && (worked || clientLeft && isStream()) && ended.compareAndSet(false, true)) {
            if (state.mayGiveBack()) {
                Threads.run(this::end);
            } else {
                end();
            }
        }
    }

    private void end() {
        if (clientLeft) {
            state.brokeOff();
        }
        state.ended(response.getStatusCode());
    }

    private boolean isStream() {
        Object result = request.getResult();
        return result instanceof Flow.Publisher
                || result instanceof Publisher
                || request.getTarget() != null
                        && Arrays.asList(request.getTarget().getParameterTypes())
                                .contains(SseEventSink.class);
    }
}
