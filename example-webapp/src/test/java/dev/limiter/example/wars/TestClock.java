package dev.limiter.example.wars;

import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** Limits whose clock stands still until a test moves it. */
@Path("clock")
@RateLimitExempt
@ApplicationScoped
public class TestClock {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

    @Produces
    @ApplicationScoped
    public RateLimiter limiter() {
        return new LocalRateLimiter(now::get);
    }

    @POST
    public void move(@QueryParam("by") String span) {
        now.updateAndGet(instant -> instant.plus(Duration.parse(span)));
    }
}
