package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.policy.Plan;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Leases and units after each way in which the writing of a body ends. */
class ResponseWriteInterceptorTest {
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");

    private final ApplicationRuntime runtime =
            new ApplicationRuntime(new MapSettings(), ServerContext.withoutServlets(null));
    private final RequestState state = runtime.requests().begin(true);
    private final ResponseWriteInterceptor interceptor = new ResponseWriteInterceptor();
    private MediaType type = MediaType.TEXT_PLAIN_TYPE;
    private Object entity = "body";
    private Throwable thrown;
    private OutputStream body = OutputStream.nullOutputStream();

    interface Resource {
        @GET
        @RateLimited(
                name = "failures",
                key = "'all'",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 100,
                window = "1h",
                countOn = "5xx")
        @RateLimited(name = "flight", key = "'all'", algorithm = Algorithm.CONCURRENCY, limit = 100)
        void get();
    }

    private final WriterInterceptorContext writing = (WriterInterceptorContext) Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {WriterInterceptorContext.class},
            (proxy, method, arguments) -> {
                return switch (method.getName()) {
                    case "getProperty" -> state;
                    case "getMediaType" -> type;
                    case "getEntity" -> entity;
                    case "getOutputStream" -> body;
                    case "setOutputStream" -> {
                        body = (OutputStream) arguments[0];
                        yield null;
                    }
                    case "proceed" -> {
                        if (thrown != null) {
                            throw thrown;
                        }
                        body.write(1);
                        yield null;
                    }
                    default -> throw new AssertionError(method);
                };
            });

    @BeforeEach
    void decide() {
        List<String> problems = new ArrayList<>();
        Plan plan = new PlanReader(runtime.policies(), Application.class)
                .read(Resource.class, Resource.class.getDeclaredMethods()[0], problems);
        assertThat(problems).isEmpty();
        runtime.requests().evaluator().decide(state, plan.limits(), new FakeRequest());
        state.respondsWith(200);
    }

    @AfterEach
    void close() {
        runtime.close();
        runtime.limiter().close();
    }

    private void assertSpent(long failures, long flight) {
        assertThat(List.of(spent("failures"), spent("flight"))).containsExactly(failures, flight);
    }

    private long spent(String name) {
        Policy policy = runtime.policies().named(name).version().policy();
        return policy.capacity() - runtime.limiter().peek(policy, ALL).remaining();
    }

    private static Throwable failure(String how) {
        IOException gone = new IOException("gone");
        return switch (how) {
            case "gone" -> gone;
            case "wrapped" -> new IllegalStateException(gone);
            case "deeply" -> new IllegalStateException(new RuntimeException(new UncheckedIOException(gone)));
            default -> new IllegalStateException("a mistake of the service");
        };
    }

    /** A server may say another status once the client has reset the stream. */
    @Test
    void aBodyThatTheClientDoesNotTakeCounts() {
        body = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("reset");
            }
        };
        assertThat(catchThrowable(() -> interceptor.aroundWriteTo(writing))).hasMessage("reset");
        assertSpent(1, 0);
        state.ended(404);
        assertSpent(1, 0);
    }

    @Test
    void aBodyThatIsWrittenEndsItsRequest() throws IOException {
        interceptor.aroundWriteTo(writing);
        assertSpent(0, 0);
    }

    /**
     * If the client has gone, the request ends with its status. After a mistake there may be
     * another response.
     */
    @ParameterizedTest
    @CsvSource({
        "gone, 200, 1",
        "wrapped, 200, 1",
        "deeply, 200, 1",
        "mistake, 200, 0",
        "mistake, 500, 1",
        "gone, 404, 0"
    })
    void aBodyThatIsNotWrittenEndsWhatIsInFlight(String how, int ended, long failures) {
        thrown = failure(how);
        assertThat(catchThrowable(() -> interceptor.aroundWriteTo(writing))).isSameAs(thrown);
        assertSpent(1, 0);
        state.ended(ended);
        assertSpent(failures, 0);
    }

    /** The writing of an event stream returns before its end. */
    @Test
    void aStreamOfEventsGoesOnUntilItsClientIsGone() throws IOException {
        type = MediaType.SERVER_SENT_EVENTS_TYPE;
        OutputStream breaks = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                if (one == '!') {
                    throw new IOException("gone");
                }
            }
        };
        body = breaks;
        interceptor.aroundWriteTo(writing);
        assertSpent(1, 1);
        body.write('a');
        body.write(new byte[] {'b', 'c'}, 0, 2);
        body.flush();
        assertSpent(1, 1);
        assertThat(catchThrowable(() -> body.write('!'))).isInstanceOf(IOException.class);
        assertSpent(1, 0);
    }
}
