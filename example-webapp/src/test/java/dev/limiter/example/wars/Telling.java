package dev.limiter.example.wars;

import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.util.Optional;

/**
 * A store of an application's own, used before the others, which can be made to tell anything.
 */
public final class Telling implements RateLimiterProvider {
    static volatile Signals signals;

    /** For {@link java.util.ServiceLoader}. */
    public Telling() {}

    @Override
    public boolean isNamed(Settings settings) {
        return true;
    }

    @Override
    public Optional<RateLimiter> create(String application, Settings settings, Signals told) {
        signals = told;
        return Optional.of(new LocalRateLimiter());
    }
}
