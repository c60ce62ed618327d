package shop.quarkus;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The service over HTTP, without a Redis, on a clock that the test moves. */
@QuarkusTest
@TestProfile(MovedClockTest.OnTheClock.class)
class MovedClockTest {
    static volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Alternative
    @Singleton
    static class Clock {
        @Produces
        @ApplicationScoped
        RateLimiter limiter() {
            return new LocalRateLimiter(() -> now);
        }
    }

    public static class OnTheClock implements QuarkusTestProfile {
        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(Clock.class);
        }
    }

    @Test
    void theSixthTicketWaitsForTenMinutes() {
        for (int i = 0; i < 5; i++) {
            assertEquals(200, buy());
        }
        assertEquals(429, buy());
        now = now.plus(Duration.ofMinutes(10));
        assertEquals(200, buy());
    }

    private static int buy() {
        return given().auth().preemptive().basic("ann", "secret").post("/tickets/circus").statusCode();
    }
}
