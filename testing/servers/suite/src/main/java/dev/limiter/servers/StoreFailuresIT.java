package dev.limiter.servers;

import static dev.limiter.servers.Http.meanwhile;
import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.RedisServer;
import java.net.URL;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.RedisClient;

/**
 * A Redis that is full, and then away. For requests that need it each policy's
 * {@code onStoreFailure} decides.
 */
@ExtendWith(ArquillianExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoreFailuresIT {
    private static final RedisServer OWN = RedisServer.start("--maxmemory-policy", "noeviction");

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of(
                "failures",
                Map.of(
                        "limiter.redis.uri",
                        OWN.uri(),
                        "limiter.redis.deadline",
                        "5s",
                        "limiter.policy.units.on-store-failure",
                        "CLOSED"),
                "Counted",
                "Gate",
                "GateResource",
                "EndsResource",
                "EndsResource$Sub",
                "FailuresResource",
                "OriginalRequest",
                "StoreFailureResource",
                "TeapotException",
                "TeapotMapper",
                "CountedServlet");
    }

    /** A request over the limit stays a 429 of the store. */
    @Test
    @Order(1)
    void aFullStoreStillRejects() {
        for (int i = 0; i < 3; i++) {
            assertAnswer("failures/closed", 200, true);
        }
        OWN.command("CONFIG", "SET", "maxmemory", "1");
        for (int i = 0; i < 10; i++) {
            assertAnswer("failures/closed", 429, true);
            assertAnswer("ways/closed/new", 503, false);
            assertAnswer("ways/local/new", 200, false);
            assertAnswer("ways/open/new", 200, false);
        }
        OWN.command("CONFIG", "SET", "maxmemory", "0");
        assertAnswer("ways/closed/new", 200, true);
        assertAnswer("ways/open/new", 200, true);
        assertAnswer("failures/closed", 429, true);
    }

    private void assertAnswer(String path, int status, boolean ofTheStore) {
        Response response = to(server).get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(status);
        assertThat(response.header("RateLimit") != null).as(path).isEqualTo(ofTheStore);
    }

    /** Requests in flight end as usual. */
    @Test
    @Order(2)
    void ofAStoreThatGoesAwayOnlyLaterRequestsNotice() {
        OWN.command("FLUSHALL");
        for (String each : new String[] {"configured", "closed", "open"}) {
            assertThat(to(server).get("failures/" + each).header("RateLimit")).contains(";r=2;");
        }
        CompletableFuture<Response> resource = meanwhile(() -> to(server).get("ends/resumed"));
        CompletableFuture<Response> servlet = meanwhile(() -> to(server).get("servlet/later"));
        try (RedisClient redis = RedisClient.create(OWN.uri())) {
            await().until(() -> redis.keys("*").stream()
                    .filter(key -> redis.type(key).equals("zset"))
                    .anyMatch(leases -> redis.zcard(leases) == 2));
        }
        OWN.close();
        to(server).put("gate");
        to(server).put("gate");
        assertThat(resource.join().asString()).isEqualTo("resumed");
        assertThat(servlet.join().asString()).isEqualTo("later");
        assertUnavailable("ends/plain");
        assertUnavailable("servlet");
        assertThat(to(server).head("ends/plain").statusCode()).isEqualTo(503);
        assertUnavailable("failures/closed");
        for (int i = 0; i < 5; i++) {
            assertPasses("failures/open");
        }
        assertPasses("failures/configured");
        assertPasses("failures/configured");
        assertRejected("failures/configured");
    }

    /** Passes without headers: results of one process only are not published. */
    private void assertPasses(String path) {
        Response response = to(server).get(path);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.header("RateLimit")).isNull();
        assertThat(response.header("RateLimit-Policy")).isNull();
    }

    private void assertRejected(String path) {
        Response response = to(server).get(path);
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.text("type")).endsWith("#quota-exceeded");
        assertThat(Long.parseLong(response.header("Retry-After"))).isBetween(1L, 3_600L);
        assertThat(response.header("RateLimit")).isNull();
        assertThat(response.header("RateLimit-Policy")).isNull();
    }

    private void assertUnavailable(String path) {
        Response response =
                to(server).header("Origin", "https://elsewhere.example").get(path);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.contentType()).isEqualTo("application/problem+json");
        assertThat(response.text("type")).endsWith("#temporary-reduced-capacity");
        assertThat(response.header("Retry-After")).isEqualTo("1");
        assertThat(response.header("RateLimit")).isNull();
        assertThat(response.header("Access-Control-Expose-Headers")).containsIgnoringCase("Retry-After");
    }
}
