package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.Tier;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimits;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What one of three instances without a store tells clients, methods and the log. */
class InstancePartsTest {

    /** A limit of each kind. */
    @Path("/")
    public static class Resource implements ContainerRequestFilter {
        private final AtomicReference<ContainerRequestContext> request = new AtomicReference<>();

        @Override
        public void filter(ContainerRequestContext now) {
            request.set(now);
        }

        @GET
        @Path("window")
        @RateLimited(
                name = "window",
                key = "'all'",
                algorithm = Algorithm.FIXED_WINDOW,
                limit = 100,
                window = "1d",
                tier = "{attribute:kind}",
                tiers = @Tier(name = "gold", limit = 300))
        public String window() {
            RateLimits limits = RateLimits.of(request.get());
            if (limits.decisions().get(0).results().get(0).policy().capacity() == 33) {
                limits.deployed().limiter().acquire(limits.policy("window"), PartitionKey.of("literal", "all"));
                return limits.remaining("window") + " left by its decision";
            }
            limits.charge("window", 2);
            return limits.remaining("window") + " left, " + limits.used("window") + " used";
        }

        @GET
        @Path("rate")
        @RateLimited(name = "rate", key = "'all'", algorithm = Algorithm.GCRA, limit = 100, window = "10s", burst = 3)
        public String rate() {
            return "in";
        }

        @GET
        @Path("forgiven")
        @RateLimited(name = "forgiven", key = "'all'", algorithm = Algorithm.GCRA, limit = 99, window = "1d")
        public String forgiven() {
            return RateLimits.of(request.get()).forgive("forgiven") ? "forgiven" : "not here";
        }

        @GET
        @Path("estimated")
        @RateLimited(
                name = "estimated",
                key = "'all'",
                algorithm = Algorithm.TOKEN_BUCKET,
                limit = 100,
                window = "1d",
                cost = "0")
        public String estimated() {
            RateLimits limits = RateLimits.of(request.get());
            limits.reserve("estimated", 20);
            String reserved = limits.remaining("estimated") + " left, ";
            limits.settle("estimated", 5);
            limits.reserve("estimated", 28);
            try {
                limits.reserve("estimated", 1);
            } catch (RateLimitExceededException spent) {
                return reserved + limits.remaining("estimated") + " left";
            }
            return "more than a part";
        }
    }

    @Test
    void theClientIsToldOfThePartThatTheInstanceKeeps() {
        try (RestServer server = server("draft-11,legacy")) {
            RestServer.Answered answer = server.get("/window");
            assertThat(answer.text()).isEqualTo("32 left by its decision");
            assertThat(answer.header("RateLimit-Policy")).isEqualTo("\"window\";q=33;w=86400");
            assertThat(answer.header("RateLimit")).startsWith("\"window\";r=32;t=");
            assertThat(answer.header("X-RateLimit-Limit")).isEqualTo("33");
            assertThat(answer.header("X-RateLimit-Remaining")).isEqualTo("32");
            answer = server.ask("GET", "/window", Map.of(), Map.of("kind", "gold"));
            assertThat(answer.header("RateLimit-Policy")).isEqualTo("\"window\";q=100;w=86400");
            assertThat(answer.text()).isEqualTo("95 left, 5 used");
        }
    }

    @Test
    void aRateIsToldAsItIsKept() {
        try (RestServer server = server("draft-11")) {
            RestServer.Answered answer = server.get("/rate");
            assertThat(answer.header("RateLimit-Policy")).isEqualTo("\"rate\";q=1");
            assertThat(answer.header("RateLimit")).isEqualTo("\"rate\";r=0");
            assertThat(server.get("/rate").status()).isEqualTo(429);
        }
    }

    @Test
    void aPartIsForgivenAndShownInFull() {
        try (RestServer server = server("draft-11")) {
            RestServer.Answered answer = server.get("/forgiven");
            assertThat(answer.text()).isEqualTo("forgiven");
            assertThat(answer.header("RateLimit-Policy")).startsWith("\"forgiven\";q=33");
            assertThat(answer.header("RateLimit")).isEqualTo("\"forgiven\";r=33");
        }
    }

    @Test
    void estimatesAreOfThePart() {
        try (RestServer server = server("draft-11")) {
            assertThat(server.get("/estimated").text()).isEqualTo("13 left, 0 left");
        }
    }

    @Test
    void theStartNamesEachPart() {
        try (LogLines log = new LogLines("dev.limiter.local.LocalRateLimiterProvider");
                RestServer server = server("draft-11")) {
            server.deployment().prepare();
            server.get("/rate");
            List<String> lines = log.taken();
            assertThat(lines.get(0)).contains("each of 3 processes admits its part (limiter.expected-instances)");
            assertThat(lines.subList(1, lines.size()))
                    .containsExactlyInAnyOrder(
                            "INFO \"configured\", SLIDING_LOG 30 per 1m: this instance of 3 admits SLIDING_LOG 10 per 1m",
                            "INFO \"window\", FIXED_WINDOW 100 per 1d: this instance of 3 admits FIXED_WINDOW 33 per 1d",
                            "INFO \"window\", FIXED_WINDOW 300 per 1d: this instance of 3 admits FIXED_WINDOW 100 per 1d",
                            "INFO \"rate\", GCRA 100 per 10s with burst 3: this instance of 3 admits GCRA 100 per 30s with"
                                    + " burst 1",
                            "INFO \"forgiven\", GCRA 99 per 1d with burst 99: this instance of 3 admits GCRA 99 per 3d"
                                    + " with burst 33",
                            "INFO \"estimated\", TOKEN_BUCKET 100 per 1d with burst 100: this instance of 3 admits"
                                    + " TOKEN_BUCKET 100 per 3d with burst 33");
        }
    }

    private static RestServer server(String headers) {
        MapSettings settings = new MapSettings()
                .with("limiter.expected-instances", "3")
                .with("limiter.headers", headers)
                .with("limiter.policy.configured.key", "'all'")
                .with("limiter.policy.configured.algorithm", "SLIDING_LOG")
                .with("limiter.policy.configured.limit", "30")
                .with("limiter.policy.configured.window", "1m");
        Resource resource = new Resource();
        return new RestServer(settings, true, resource, resource);
    }
}
