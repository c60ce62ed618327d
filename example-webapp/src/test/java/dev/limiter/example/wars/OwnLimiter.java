package dev.limiter.example.wars;

import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;

/** An application with a limiter of its own. */
@ApplicationScoped
public class OwnLimiter {

    @Produces
    @ApplicationScoped
    public RateLimiter limiter() {
        return new LocalRateLimiter();
    }
}
