package shop.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.boot.jersey.autoconfigure.ResourceConfigCustomizer;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;

/** The service over HTTP, without a Redis, on a clock that the test moves. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class MovedClockTest {
    static volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @TestConfiguration
    static class Clock {
        @Bean
        ResourceConfigCustomizer limiter() {
            return jersey -> jersey.property(RateLimiter.class.getName(), new LocalRateLimiter(() -> now));
        }
    }

    @LocalServerPort
    int port;

    @Test
    void theSixthTicketWaitsForTenMinutes() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertEquals(200, buy());
        }
        assertEquals(429, buy());
        now = now.plus(Duration.ofMinutes(10));
        assertEquals(200, buy());
    }

    private int buy() throws Exception {
        String credentials = Base64.getEncoder().encodeToString("ann:secret".getBytes());
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/tickets/circus"))
                                .header("Authorization", "Basic " + credentials)
                                .POST(BodyPublishers.noBody())
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }
}
