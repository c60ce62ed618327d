package shop.dropwizard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.ServletLimits;
import io.dropwizard.testing.ConfigOverride;
import io.dropwizard.testing.DropwizardTestSupport;
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
import redis.embedded.RedisServer;

/** The service over HTTP, with a Redis, as the page says. */
class ShopServiceTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static RedisServer redis;
    private static String redisAddress;
    private static DropwizardTestSupport<ShopService.Settings> service;

    @BeforeAll
    static void start() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        redis = new RedisServer(port);
        redis.start();
        redisAddress = "redis://127.0.0.1:" + port;
        service = service("limiter\\.redis\\.uri", redisAddress);
        service.before();
    }

    @AfterAll
    static void stop() throws IOException {
        service.after();
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
        assertEquals(200, buy("bob").statusCode());
        String metrics = get(service.getAdminPort(), "metrics?pretty=true").body();
        assertTrue(metrics.contains("limiterDecisions.outcome.admitted.policy.buyer"), metrics);
        assertTrue(metrics.contains("limiterDecisions.outcome.rejected.policy.buyer"), metrics);
    }

    @Test
    void aRequestThatEndsGivesItsPlaceBack() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertEquals(200, get(service.getLocalPort(), "tickets/report").statusCode());
        }
    }

    @Test
    void aMethodWithoutALimitMayAskOne() throws Exception {
        assertEquals("5 tickets for each buyer\n", get(service.getLocalPort(), "tickets").body());
    }

    @Test
    void aJobFindsTheLimits() {
        DeployedLimits limits = ServletLimits.of(
                service.getEnvironment().getApplicationContext().getServletContext());
        assertEquals(5, limits.policy("buyer").limit());
    }

    @Test
    void aServiceThatStopsLeavesNoThread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        DropwizardTestSupport<ShopService.Settings> another = service("limiter\\.redis\\.uri", redisAddress);
        another.before();
        List<Thread> started = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("limiter-") && !before.contains(thread))
                .toList();
        assertFalse(started.isEmpty());
        another.after();
        for (Thread thread : started) {
            thread.join(10_000);
            assertFalse(thread.isAlive(), thread.getName());
        }
    }

    @Test
    void aMisspeltSettingFailsTheStart() {
        assertRefused("limiter\\.redis\\.url", "limiter.redis.url: no such setting");
        assertRefused("limiter\\.policy\\.byer\\.limit", "limiter.policy.byer.limit: no policy of this application");
    }

    private static void assertRefused(String setting, String why) {
        Throwable refused = assertThrows(Exception.class, () -> service(setting, "5").before());
        while (refused.getCause() != null) {
            refused = refused.getCause();
        }
        assertTrue(refused.getMessage().startsWith(why), refused.getMessage());
    }

    private static DropwizardTestSupport<ShopService.Settings> service(String setting, String value) {
        return new DropwizardTestSupport<>(
                ShopService.class,
                "shop.yml",
                ConfigOverride.randomPorts(),
                ConfigOverride.config("settings." + setting, value));
    }

    private static HttpResponse<String> buy(String user) throws Exception {
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes());
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + service.getLocalPort() + "/tickets/circus"))
                        .header("Authorization", "Basic " + credentials)
                        .POST(BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(int port, String path) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/" + path)).build(),
                BodyHandlers.ofString());
    }
}
