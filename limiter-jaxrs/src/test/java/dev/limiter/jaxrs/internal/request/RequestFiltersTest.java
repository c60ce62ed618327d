package dev.limiter.jaxrs.internal.request;

import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Stage.BEFORE_AUTHENTICATION;
import static dev.limiter.Stage.BEFORE_MATCHING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.RestServer;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import jakarta.annotation.Priority;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The filters of the limiter among those of a service, and their effect on each response. */
class RequestFiltersTest {
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");
    private static final Map<String, String> PLAIN = Map.of();
    private static final Map<String, String> FROM_ELSEWHERE = Map.of("Origin", "https://shop.example");

    private final List<String> seen = new ArrayList<>();
    private final MapSettings settings = new MapSettings();
    private RestServer server;

    /** A resource, each of whose methods is for one test. */
    @Path("/")
    public static class Resource {
        @GET
        @Path("staged")
        @RateLimited(
                name = "early",
                key = "{ip}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 100,
                window = "1h",
                stage = BEFORE_AUTHENTICATION)
        @RateLimited(name = "late", key = "{user}", algorithm = Algorithm.SLIDING_LOG, limit = 100, window = "1h")
        public String staged() {
            return "in";
        }

        @GET
        @Path("once")
        @RateLimited(name = "once", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 1, window = "1h")
        public String once() {
            return "in";
        }

        @OPTIONS
        @Path("once")
        public String options() {
            return "GET";
        }

        @GET
        @Path("status/{status}")
        @RateLimited(name = "all", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 100, window = "1h")
        @RateLimited(
                name = "failures",
                key = "'all'",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 100,
                window = "1h",
                countOn = "5xx")
        @RateLimited(name = "flight", key = "'all'", algorithm = Algorithm.CONCURRENCY, limit = 100)
        public Response status(@PathParam("status") int status) {
            Response.ResponseBuilder result = Response.status(status);
            return (status == 304 || status == 204 ? result : result.entity("body")).build();
        }

        @GET
        @Path("broken/{how}")
        @RateLimited(
                name = "failures",
                key = "'all'",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 100,
                window = "1h",
                countOn = "5xx")
        @RateLimited(name = "flight", key = "'all'", algorithm = Algorithm.CONCURRENCY, limit = 100)
        public StreamingOutput broken(@PathParam("how") String how) {
            return body -> {
                switch (how) {
                    case "gone" -> throw new IOException("the client is gone");
                    case "wrapped" ->
                        throw new IllegalStateException(
                                new UncheckedIOException(new IOException("the client is gone")));
                    default -> throw new IllegalStateException("a mistake of the service");
                }
            };
        }

        @GET
        @Path("events")
        @Produces("text/event-stream")
        @RateLimited(name = "flight", key = "'all'", algorithm = Algorithm.CONCURRENCY, limit = 100)
        public StreamingOutput events() {
            return body -> {
                body.write('a');
                body.write("bc".getBytes(java.nio.charset.StandardCharsets.US_ASCII), 0, 2);
                body.flush();
            };
        }
    }

    /**
     * Authenticates the user of the header {@code X-User}, and records which filters of the
     * limiter ran before it.
     */
    @Priority(Priorities.AUTHENTICATION)
    private final class Authentication implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            seen.add("authentication after " + decided(request));
            String name = request.getHeaderString("X-User");
            SecurityContext before = request.getSecurityContext();
            request.setSecurityContext(new SecurityContext() {
                @Override
                public Principal getUserPrincipal() {
                    return () -> name;
                }

                @Override
                public boolean isUserInRole(String role) {
                    return false;
                }

                @Override
                public boolean isSecure() {
                    return before != null && before.isSecure();
                }

                @Override
                public String getAuthenticationScheme() {
                    return "X";
                }
            });
        }
    }

    @Priority(Priorities.AUTHORIZATION)
    private final class Authorization implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            seen.add("authorization after " + decided(request));
        }
    }

    private static List<String> decided(ContainerRequestContext request) {
        return request.getProperty(RateLimitFilter.STATE) instanceof RequestState state
                ? state.limits().decisions().stream()
                        .flatMap(decision -> decision.results().stream())
                        .map(result -> result.policy().name())
                        .toList()
                : List.of();
    }

    /** Turns every 299 into a 503, as a service does with answers of its own. */
    @Priority(Priorities.USER)
    private static final class Replaces implements ContainerResponseFilter {
        @Override
        public void filter(ContainerRequestContext request, ContainerResponseContext response) {
            if (response.getStatus() == 299) {
                response.setStatus(503);
            }
        }
    }

    /** The service's own answer to a rejection. */
    private static final class OwnAnswer implements ExceptionMapper<RateLimitExceededException> {
        private final int status;
        private final String retryAfter;
        private int asked;

        OwnAnswer(int status, String retryAfter) {
            this.status = status;
            this.retryAfter = retryAfter;
        }

        @Override
        public Response toResponse(RateLimitExceededException exceeded) {
            asked++;
            Response.ResponseBuilder result = Response.status(status).entity("own " + asked);
            return (retryAfter == null ? result : result.header("Retry-After", retryAfter)).build();
        }
    }

    @BeforeEach
    void serve() {
        serve(true);
    }

    private void serve(boolean limiterComesFirst, Object... providers) {
        if (server != null) {
            server.close();
        }
        server = new RestServer(settings, limiterComesFirst, new Resource(), providers);
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** With equal priorities the order of registration would decide. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachStageIsWhereItSaysWhateverIsRegisteredFirst(boolean limiterComesFirst) {
        serve(limiterComesFirst, new Authentication(), new Authorization());
        assertThat(server.ask("GET", "/staged", Map.of("X-User", "alice")).text())
                .isEqualTo("in");
        assertThat(seen).containsExactly("authentication after [early]", "authorization after [early, late]");
        assertThat(spent("late", PartitionKey.of("user", "alice"))).isEqualTo(1);
        assertThat(spent("early", PartitionKey.of("ip", "192.0.2.1"))).isEqualTo(1);
    }

    /** Whether a mapper of the service's is there is looked up with the first rejection. */
    @Test
    void everyRejectionIsAnsweredByTheServicesMapper() {
        serve(true, new OwnAnswer(420, null));
        assertThat(server.get("/once").status()).isEqualTo(200);
        for (int time = 1; time <= 3; time++) {
            RestServer.Answered rejected = server.get("/once");
            assertThat(rejected.status()).isEqualTo(420);
            assertThat(rejected.text()).isEqualTo("own " + time);
        }
    }

    @Test
    void everyRejectionIsAnsweredAlikeWithoutAMapper() {
        server.get("/once");
        RestServer.Answered first = server.get("/once");
        RestServer.Answered second = server.get("/once");
        assertThat(first.status()).isEqualTo(429);
        assertThat(second.status()).isEqualTo(429);
        assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(second.header("Retry-After")).isEqualTo("3600");
        assertThat(second.text()).contains("\"violated-policies\":[\"once\"]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "399 | -   | -", // a service may redirect whom it rejects
                "400 | -   | 3600",
                "420 | -   | 3600",
                "503 | -   | 3600",
                "420 | 7   | 7", // its own word stays
            })
    void anAnswerOfTheServicesOwnSaysWhenToRetryIfItIsAFailure(int status, String own, String told) {
        serve(true, new OwnAnswer(status, own));
        server.get("/once");
        RestServer.Answered rejected = server.ask("GET", "/once", FROM_ELSEWHERE);
        assertThat(rejected.status()).isEqualTo(status);
        assertThat(rejected.header("Retry-After")).isEqualTo(told);
        assertThat(rejected.header("RateLimit")).isEqualTo("\"once\";r=0;t=3599");
        assertThat(rejected.header("Access-Control-Expose-Headers"))
                .isEqualTo("RateLimit-Policy, RateLimit, Retry-After");
    }

    /** An admitted request that fails for another reason is not told to wait. */
    @Test
    void aFailureThatIsNoRejectionSaysNothingOfRetrying() {
        RestServer.Answered failed = server.get("/status/503");
        assertThat(failed.header("Retry-After")).isNull();
        assertThat(failed.header("RateLimit")).startsWith("\"all\";r=99");
    }

    /** A filter before matching would cost each request, and no limit stands there. */
    @Test
    void aRequestThatMatchesReadsConfigurationAgain() {
        assertThat(server.hasFilter(RateLimitFilter.BeforeMatching.class)).isFalse();
        assertThat(server.hasFilter(RateLimitFilter.BeforeAuthentication.class)).isTrue();
        assertThat(server.get("/once").header("RateLimit-Policy")).isEqualTo("\"once\";q=1;w=3600");
        settings.with("limiter.policy.once.limit", "7");
        server.passes(Duration.ofSeconds(2));
        assertThat(server.get("/once").header("RateLimit-Policy")).isEqualTo("\"once\";q=7;w=3600");
    }

    /**
     * A 304 has no RateLimit headers: a cache would merge them into the stored response that
     * other clients get.
     */
    @Test
    void anAnswerThatNothingHasChangedTellsNothing() {
        assertThat(server.get("/status/200").header("RateLimit")).isNotNull();
        RestServer.Answered unchanged = server.ask("GET", "/status/304", FROM_ELSEWHERE);
        assertThat(unchanged.header("RateLimit")).isNull();
        assertThat(unchanged.header("Access-Control-Expose-Headers")).isNull();
    }

    @ParameterizedTest
    @CsvSource({"200, 0", "204, 0", "304, 0", "404, 0", "500, 1", "503, 1", "299, 1"})
    void theLastWordOnTheStatusDecidesWhatCounts(int status, int failures) {
        serve(true, new Replaces());
        server.get("/status/" + status);
        assertThat(List.of(spent("all"), spent("failures"), spent("flight"))).containsExactly(1L, (long) failures, 0L);
    }

    @Test
    void theHeadOfAnAnswerCountsAndAQuestionOfOptionsDoesNot() {
        assertThat(server.ask("OPTIONS", "/once", PLAIN).status()).isEqualTo(200);
        assertThat(spent("once")).isZero();
        assertThat(server.ask("HEAD", "/once", PLAIN).status()).isEqualTo(200);
        assertThat(spent("once")).isEqualTo(1);
        assertThat(server.ask("OPTIONS", "/once", PLAIN).status()).isEqualTo(200);
        assertThat(server.ask("HEAD", "/once", PLAIN).status()).isEqualTo(429);
    }

    /** That OPTIONS counts is known with the method only; then two stages are asked in turn. */
    @RateLimited(name = "first", key = "{ip}", algorithm = GCRA, limit = 1, window = "1h", stage = BEFORE_MATCHING)
    @RateLimited(name = "due", key = "'all'", algorithm = GCRA, limit = 9, window = "1h", stage = BEFORE_AUTHENTICATION)
    private static final class Limited extends Application {}

    @Test
    void whatOneStageRejectsCostsNothingOfTheNext() {
        serve(false, new Limited());
        assertThat(server.ask("OPTIONS", "/once", PLAIN).status()).isEqualTo(200);
        assertThat(server.ask("OPTIONS", "/once", PLAIN).status()).isEqualTo(429);
        assertThat(spent("due")).isEqualTo(1);
    }

    /** Its request was charged already, and ends with it. */
    @Test
    void aPageForAnErrorIsNotCharged() {
        Map<String, Object> dispatched = Map.of("jakarta.servlet.error.status_code", 404);
        assertThat(server.ask("GET", "/once", PLAIN, dispatched).status()).isEqualTo(200);
        assertThat(spent("once")).isZero();
    }

    /** One limit, asked in one request by two applications of a server, is charged once. */
    @Test
    void aRequestThatCarriesItsStateGoesOnWithIt() {
        RequestState state = server.deployment().requests().begin(true);
        Map<String, Object> dispatched = Map.of(RateLimitFilter.STATE, state);
        assertThat(server.ask("GET", "/once", PLAIN, dispatched).status()).isEqualTo(200);
        assertThat(server.ask("GET", "/once", PLAIN, dispatched).status()).isEqualTo(200);
        assertThat(spent("once")).isEqualTo(1);
        assertThat(state.limits().decisions()).hasSize(1);
    }

    /** Its end would give back to that one's limiter. */
    @Test
    void aRequestThatCarriesTheStateOfAnotherApplicationGetsItsOwn() {
        try (ApplicationRuntime another =
                new ApplicationRuntime(new MapSettings(), ServerContext.withoutServlets(null))) {
            RequestState foreign = another.requests().begin(true);
            Map<String, Object> forwarded = Map.of(RateLimitFilter.STATE, foreign);
            assertThat(server.ask("GET", "/once", PLAIN, forwarded).status()).isEqualTo(200);
            assertThat(spent("once")).isEqualTo(1);
            assertThat(foreign.limits().decisions()).isEmpty();
        }
    }

    /**
     * The client went away, which is counted; or the service failed, and its error is counted.
     */
    @ParameterizedTest
    @CsvSource({"gone, 1", "wrapped, 1", "mistake, 1"})
    void aBodyThatBreaksOffLeavesNothingInFlight(String how, int failures) {
        RequestState state = server.deployment().requests().begin(true);
        catchThrowable(() -> server.ask("GET", "/broken/" + how, PLAIN, Map.of(RateLimitFilter.STATE, state)));
        assertThat(spent("flight")).isZero();
        assertThat(spent("failures")).as("before the request ends").isEqualTo(1);
        state.ended(200);
        assertThat(spent("failures")).isEqualTo(failures);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "array", "flush"})
    void aStreamOfEventsEndsWhereItBreaksOff(String where) {
        catchThrowable(() -> server.ask("GET", "/events", PLAIN, Map.of(), new Breaking(where)));
        assertThat(spent("flight")).isZero();
    }

    /** A stream whose methods fail because the client has gone. */
    private static final class Breaking extends OutputStream {
        private final String where;

        Breaking(String where) {
            this.where = where;
        }

        private void in(String method) throws IOException {
            if (method.equals(where)) {
                throw new IOException("the client is gone");
            }
        }

        @Override
        public void write(int one) throws IOException {
            in("write");
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            in("array");
        }

        @Override
        public void flush() throws IOException {
            in("flush");
        }
    }

    private long spent(String policy) {
        return spent(policy, ALL);
    }

    private long spent(String policy, PartitionKey key) {
        Policy inForce = server.deployment().policies().named(policy).version().policy();
        CheckResult result = server.limiter().peek(inForce, key);
        return inForce.capacity() - result.remaining();
    }
}
