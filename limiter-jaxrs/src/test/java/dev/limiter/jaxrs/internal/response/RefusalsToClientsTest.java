package dev.limiter.jaxrs.internal.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.bootstrap.RestServer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The responses to refused requests, each time, in each form, and word for word. */
class RefusalsToClientsTest {
    private static final String HEAD = "{\"type\":\"https://iana.org/assignments/http-problem-types#";

    private static CheckResult result(String name, boolean admitted, boolean shadow) {
        Policy policy = Policy.of(name, Algorithm.GCRA, 5, Duration.ofSeconds(10));
        return new CheckResult(shadow ? policy.asShadow() : policy, admitted, 0, admitted ? 0 : 1_000_000, 1, 1);
    }

    private static ProblemDetails problem(String published, CheckResult... answers) {
        return ProblemDetails.rejected(
                new Decision.Rejected(List.of(answers), 0), 7, List.of(published.split(" "))::contains, true);
    }

    @Test
    void itNamesThoseThatRejectedAndMayBeKnown() {
        CheckResult a = result("a", false, false);
        CheckResult b = result("b", false, false);
        CheckResult c = result("c", true, false);
        CheckResult d = result("d", false, true);
        assertThat(problem("a b c d", a, c, d).detail()).isEqualTo("Limit \"a\" reached; retry in 7 s.");
        assertThat(problem("a b c d", a, b, c, d).detail()).isEqualTo("Limits \"a\" and \"b\" reached; retry in 7 s.");
        assertThat(problem("b", a, b).detail()).isEqualTo("Limit \"b\" reached; retry in 7 s.");
        assertThat(problem("c", a, b).detail()).isEqualTo("Limit reached; retry in 7 s.");
        assertThat(problem("a b", a, b).json())
                .isEqualTo(HEAD + "quota-exceeded\",\"title\":\"Too Many Requests\",\"status\":429,\"detail\":\"Limits"
                        + " \\\"a\\\" and \\\"b\\\" reached; retry in 7 s.\",\"violated-policies\":[\"a\",\"b\"]}");
        assertThat(problem("c", a).json()).endsWith("\"violated-policies\":[]}");
    }

    @Test
    void theOtherProblemsSayWhatTheyAre() {
        ProblemDetails full = ProblemDetails.rejected("Queue \"orders\" is full", 3, true);
        assertThat(full.status()).isEqualTo(429);
        assertThat(full.retryAfterSeconds()).isEqualTo(3);
        assertThat(new String(full.body(true), StandardCharsets.UTF_8))
                .isEqualTo(HEAD + "quota-exceeded\",\"title\":\"Too Many Requests\",\"status\":429,\"detail\":\"Queue"
                        + " \\\"orders\\\" is full; retry in 3 s.\"}");
        ProblemDetails away = ProblemDetails.unavailable(true);
        assertThat(away.status()).isEqualTo(503);
        assertThat(new String(away.body(false), StandardCharsets.UTF_8))
                .isEqualTo("The limits of this request cannot be checked at the moment; retry in 1 s.\n");
    }

    /** A resource whose limits reject, or need a store. */
    @Path("/")
    public static class Resource {
        @GET
        @Path("once")
        @RateLimited(name = "once", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 1, window = "1h")
        public String once() {
            return "in";
        }

        @GET
        @Path("closed")
        @RateLimited(
                name = "closed",
                key = "'all'",
                algorithm = Algorithm.GCRA,
                limit = 5,
                window = "1m",
                onStoreFailure = OnStoreFailure.CLOSED)
        public String closed() {
            return "in";
        }

        @POST
        @Path("login")
        @RateLimited(name = "login", key = "{form:a\"b\\c}", algorithm = Algorithm.GCRA, limit = 5, window = "1m")
        public String login() {
            return "in";
        }
    }

    /**
     * The name helps the developer of the client and the operator. The values may be passwords.
     */
    @Test
    void aFieldOfTwoValuesIsNamedAndItsValuesAreNot() {
        Map<String, String> form = Map.of("Content-Type", "application/x-www-form-urlencoded");
        String named = ", which a limit of this request counts, has several values, in the form or in form and query;"
                + " send one.";
        try (LogLines log = new LogLines("dev.limiter.decision");
                RestServer server = new RestServer(new MapSettings(), true, new Resource())) {
            for (int time = 1; time <= 3; time++) {
                RestServer.Answered refused = server.ask("POST", "/login?a%22b%5Cc=alice&a%22b%5Cc=bob", form);
                assertThat(refused.status()).isEqualTo(400);
                assertThat(refused.text())
                        .isEqualTo("{\"title\":\"Bad Request\",\"status\":400,"
                                + "\"detail\":\"The field \\\"a\\\"b\\\\c\\\"" + named + "\"}");
            }
            assertThat(log.taken())
                    .containsExactly("INFO 1 forms refused since the last such line; the last one with 400: The field"
                            + " \"a\"b\\c\"" + named);
        }
    }

    /** The first rejection looks for a mapper, the others do not. */
    @ParameterizedTest
    @CsvSource({
        "application/json, application/problem+json",
        "text/plain,       text/plain;charset=UTF-8",
        "text/html,        text/plain;charset=UTF-8",
        "*/*,              application/problem+json",
    })
    void everyRejectionIsInTheFormThatItsClientTakes(String accept, String type) {
        try (RestServer server = new RestServer(new MapSettings(), true, new Resource())) {
            server.get("/once");
            for (int time = 1; time <= 3; time++) {
                RestServer.Answered rejected = server.ask("GET", "/once", Map.of("Accept", accept));
                assertThat(rejected.status()).isEqualTo(429);
                assertThat(rejected.header("Content-Type")).as("time %d", time).isEqualTo(type);
                assertThat(rejected.text().startsWith("{")).isEqualTo(type.contains("json"));
            }
        }
    }

    /** Leaves the response to the limiter. */
    private static final class Silent implements ExceptionMapper<StoreUnavailableException> {
        @Override
        public Response toResponse(StoreUnavailableException unavailable) {
            return null;
        }
    }

    /** Nothing listens at that port. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatNeedsAStoreThatIsAwayIsUnavailableEachTime(boolean mapped) {
        Object[] providers = mapped ? new Object[] {new Silent()} : new Object[0];
        MapSettings settings = new MapSettings().with("limiter.redis.uri", "redis://127.0.0.1:1");
        try (LogLines store = new LogLines("dev.limiter.store");
                RestServer server = new RestServer(settings, true, new Resource(), providers)) {
            for (int time = 1; time <= 3; time++) {
                RestServer.Answered refused = server.get("/closed");
                assertThat(refused.status()).as("time %d", time).isEqualTo(503);
                assertThat(refused.header("Retry-After")).isEqualTo("1");
                assertThat(refused.header("RateLimit")).isNull();
                assertThat(refused.text()).startsWith(HEAD + "temporary-reduced-capacity");
                assertThat(server.get("/once").header("RateLimit"))
                        .as("what only this process knows")
                        .isNull();
            }
            assertThat(store.taken()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``                          | A, B, Retry-After",
                "*                           | *",
                "X-Own                       | X-Own, A, B, Retry-After",
                "X-Own, a                    | X-Own, a, B, Retry-After",
                "X-Own,B , retry-after, *x   | X-Own,B , retry-after, *x, A",
                "Retry-After,A,B             | Retry-After,A,B",
                "X, *                        | X, *",
                "AB                          | AB, A, B, Retry-After",
            })
    void whatIsExposedAlreadyIsNotExposedAgain(String before, String after) {
        assertThat(CorsExposure.with(List.of("A", "B"), before)).isEqualTo(after);
    }
}
