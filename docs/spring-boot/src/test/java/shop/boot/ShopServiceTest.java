package shop.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.ServletLimits;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import redis.embedded.RedisServer;

/** The service over HTTP, with a Redis, as the page says. */
class ShopServiceTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static RedisServer redis;
    private static String redisAddress;
    private static ConfigurableApplicationContext service;

    @BeforeAll
    static void start() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        redis = new RedisServer(port);
        redis.start();
        redisAddress = "--limiter.redis.uri=redis://127.0.0.1:" + port;
        service = start(redisAddress);
    }

    @AfterAll
    static void stop() throws IOException {
        service.close();
        redis.stop();
    }

    @Test
    void eachUserMayBuyAsManyAsTheYamlSays() throws Exception {
        for (int left = 4; left >= 0; left--) {
            HttpResponse<String> bought = buy("ann");
            assertEquals(200, bought.statusCode());
            assertEquals("a ticket for circus, " + left + " left for ann\n", bought.body());
            assertEquals("\"buyer\";q=5;w=600", bought.headers().firstValue("RateLimit-Policy").orElse(""));
            assertTrue(bought.headers().firstValue("RateLimit").orElse("").startsWith("\"buyer\";r=" + left));
        }
        HttpResponse<String> refused = buy("ann");
        assertEquals(429, refused.statusCode());
        assertTrue(refused.headers().firstValueAsLong("Retry-After").orElse(0) > 0);
        assertEquals("application/problem+json", refused.headers().firstValue("Content-Type").orElse(""));
        String rejected = get("actuator/metrics/limiter.decisions?tag=outcome:rejected").body();
        assertTrue(rejected.contains("\"value\":1.0"), rejected);
    }

    @Test
    void aRequestThatEndsGivesItsPlaceBack() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertEquals(200, get("tickets/report").statusCode());
        }
    }

    @Test
    void aMethodWithoutALimitMayAskOne() throws Exception {
        assertEquals("5 tickets for each buyer\n", get("tickets").body());
    }

    @Test
    void theActuatorNeedsNoLimitWhereItsPathIsExempt() throws Exception {
        String[] required = {redisAddress, "--limiter.require-limits=fail"};
        Throwable refused = refusal(() -> start(required));
        assertTrue(refused.getMessage().contains("GET /actuator/metrics/{requiredMetricName} ("), refused.getMessage());
        start(redisAddress, required[1], "--limiter.require-limits.exempt=/actuator,/tickets").close();
    }

    @Test
    void aJobFindsTheLimits() {
        DeployedLimits limits = ServletLimits.of(service.getBean(ServletContext.class));
        assertEquals(5, limits.policy("buyer").limit());
    }

    @Test
    void aServiceThatStopsLeavesNoThread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        ConfigurableApplicationContext another = start(redisAddress);
        List<Thread> started = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("limiter-") && !before.contains(thread))
                .toList();
        assertFalse(started.isEmpty());
        another.close();
        for (Thread thread : started) {
            thread.join(10_000);
            assertFalse(thread.isAlive(), thread.getName());
        }
    }

    @Test
    void aMisspeltSettingFailsTheStart() {
        String refused = refusal(() -> start("--limiter.redis.url=redis://x")).getMessage();
        assertTrue(refused.startsWith("limiter.redis.url: no such setting"), refused);
        refused = refusal(() -> start("--limiter.policy.byer.limit=9")).getMessage();
        assertTrue(refused.startsWith("limiter.policy.byer.limit: no policy of this application has that name"), refused);
    }

    private static Throwable refusal(Executable start) {
        Throwable refused = assertThrows(RuntimeException.class, start);
        while (refused.getCause() != null) {
            refused = refused.getCause();
        }
        return refused;
    }

    private static ConfigurableApplicationContext start(String... arguments) {
        return new SpringApplicationBuilder(ShopService.class).properties("server.port=0").run(arguments);
    }

    private static HttpResponse<String> buy(String user) throws Exception {
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes());
        return HTTP.send(
                HttpRequest.newBuilder(address("tickets/circus"))
                        .header("Authorization", "Basic " + credentials)
                        .POST(BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return HTTP.send(HttpRequest.newBuilder(address(path)).build(), BodyHandlers.ofString());
    }

    private static URI address(String path) {
        return URI.create(
                "http://localhost:" + service.getEnvironment().getProperty("local.server.port") + "/" + path);
    }
}
