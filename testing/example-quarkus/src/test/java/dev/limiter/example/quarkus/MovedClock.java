package dev.limiter.example.quarkus;

import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.time.Duration;
import java.time.Instant;

/** The limiter of the tests, whose time stands still until a test moves it. */
@ApplicationScoped
public class MovedClock {
    private volatile Instant now = Instant.parse("2026-11-29T12:00:00Z");

    @Produces
    @ApplicationScoped
    RateLimiter limiter() {
        return new LocalRateLimiter(() -> now);
    }

    void pass(Duration time) {
        now = now.plus(time);
    }
}
