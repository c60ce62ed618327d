package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Two nodes with HTTP: what one forgives, the other admits. */
class ForgivenOnTwoNodesTest {
    private static Runnable beforeItForgives = () -> {};

    private final HttpClient client = HttpClient.newHttpClient();

    /** Accounts by a header, which stands for a name that was verified. */
    @Path("")
    public static class Accounts {
        /** Has the policy that other methods ask. */
        @GET
        @Path("door")
        @RateLimited(name = "knocks", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 3, window = "1h")
        public String door() {
            return "open";
        }

        /** Nodes cache its rejections: the method asks it, and no response gives units back. */
        @GET
        @Path("knock")
        public String knock(@HeaderParam("X-Account") String account, @Context ContainerRequestContext request) {
            RateLimits.of(request).acquire("knocks", account);
            return "in";
        }

        @GET
        @Path("right")
        public String right(@HeaderParam("X-Account") String account, @Context ContainerRequestContext request) {
            RateLimits limits = RateLimits.of(request);
            try {
                limits.acquire("knocks", account);
            } catch (RateLimitExceededException closed) {
                // its owner is here
            }
            return "forgiven " + limits.forgive("knocks");
        }

        @GET
        @Path("guess")
        @RateLimited(
                name = "guesses",
                key = "{header:X-Account}",
                algorithm = Algorithm.GCRA,
                limit = 3,
                window = "1d",
                onStoreFailure = OnStoreFailure.CLOSED)
        public String guess() {
            return "wrong";
        }

        @GET
        @Path("solve")
        @RateLimited(
                name = "guesses",
                key = "{header:X-Account}",
                algorithm = Algorithm.GCRA,
                limit = 3,
                window = "1d",
                cost = "0",
                onStoreFailure = OnStoreFailure.CLOSED)
        public String solve(@Context ContainerRequestContext request) {
            beforeItForgives.run();
            return "forgiven " + RateLimits.of(request).forgive("guesses");
        }
    }

    @Test
    void onOneRedis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            onTwoNodes(redis.uri(), this::whatIsForgivenOnOneIsAdmittedByBoth);
        }
    }

    @Test
    void onACluster() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            onTwoNodes(cluster.uri(), this::whatIsForgivenOnOneIsAdmittedByBoth);
        }
    }

    private void whatIsForgivenOnOneIsAdmittedByBoth(BareJetty one, BareJetty two) throws Exception {
        assertThat(ask(one, "guess", "bob").statusCode()).isEqualTo(200);
        spend(one, two, "guess");
        HttpResponse<String> solved = ask(one, "solve", "alice");
        assertThat(solved.body()).isEqualTo("forgiven true");
        assertThat(ask(two, "guess", "alice").headers().firstValue("RateLimit").orElseThrow())
                .as("at once, and full but for this one")
                .startsWith("\"guesses\";r=2");
        assertThat(ask(one, "guess", "alice").statusCode()).isEqualTo(200);
        assertThat(ask(two, "guess", "bob").headers().firstValue("RateLimit").orElseThrow())
                .as("another caller's")
                .startsWith("\"guesses\";r=1");
    }

    /** Rejections that are cached on both nodes. A node that forgives caches no more of them. */
    @Test
    void cachedRejectionsGo() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            onTwoNodes(redis.uri(), (one, two) -> {
                ask(two, "knock", "bob");
                spend(one, two, "knock");
                String alice = redis.command("KEYS", "*").toString();
                redis.command("FLUSHALL");
                assertThat(ask(one, "knock", "alice").statusCode()).as(alice).isEqualTo(429);
                assertThat(ask(two, "knock", "alice").statusCode()).as(alice).isEqualTo(429);

                HttpResponse<String> right = ask(one, "right", "alice");
                assertThat(right.body()).isEqualTo("forgiven true");
                assertThat(right.headers().firstValue("RateLimit").orElseThrow())
                        .isEqualTo("\"knocks\";r=3");
                assertThat(ask(one, "knock", "alice").statusCode()).isEqualTo(200);
                assertThat(ask(two, "knock", "alice").statusCode())
                        .as("for ten seconds at most")
                        .isEqualTo(429);

                ask(two, "right", "alice");
                spend(one, two, "knock");
                ask(one, "right", "alice");
                assertThat(ask(two, "knock", "alice").statusCode()).isEqualTo(200);
            });
        }
    }

    @Test
    void aClosedPolicyAnswers503InAnOutage() throws Exception {
        RedisServer redis = RedisServer.start();
        try {
            onTwoNodes(redis.uri(), (one, two) -> {
                spend(one, two, "guess");
                beforeItForgives = redis::close;
                HttpResponse<String> unavailable = ask(one, "solve", "alice");
                assertThat(unavailable.statusCode()).isEqualTo(503);
                assertThat(unavailable.headers().firstValue("Retry-After")).contains("1");
                assertThat(unavailable.body()).doesNotContain("forgiven");
            });
        } finally {
            beforeItForgives = () -> {};
            redis.close();
        }
    }

    /** Three are admitted, and both nodes reject. */
    private void spend(BareJetty one, BareJetty two, String path) throws IOException, InterruptedException {
        for (int i = 0; i < 4; i++) {
            ask(i % 2 == 0 ? one : two, path, "alice");
        }
        assertThat(ask(one, path, "alice").statusCode()).isEqualTo(429);
        assertThat(ask(two, path, "alice").statusCode()).isEqualTo(429);
    }

    private interface Nodes {
        void accept(BareJetty one, BareJetty two) throws Exception;
    }

    private static void onTwoNodes(String redis, Nodes test) throws Exception {
        String before = System.getProperty("limiter.redis.uri", "");
        System.setProperty("limiter.redis.deadline", "20s");
        System.setProperty("limiter.redis.uri", redis);
        try (BareJetty one = new BareJetty(Accounts.class);
                BareJetty two = new BareJetty(Accounts.class)) {
            test.accept(one, two);
        } finally {
            System.clearProperty("limiter.redis.deadline");
            System.setProperty("limiter.redis.uri", before);
        }
    }

    private HttpResponse<String> ask(BareJetty node, String path, String account)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + node.port() + "/" + path))
                .header("X-Account", account)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
