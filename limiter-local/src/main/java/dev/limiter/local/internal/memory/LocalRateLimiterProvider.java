package dev.limiter.local.internal.memory;

import dev.limiter.RateLimiter;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.util.Optional;

/** Serves settings that name no store, and warns of the consequence. */
public final class LocalRateLimiterProvider implements RateLimiterProvider {
    private static final System.Logger LOG = System.getLogger("dev.limiter.local.LocalRateLimiterProvider");

    /** For {@link java.util.ServiceLoader}. */
    public LocalRateLimiterProvider() {}

    @Override
    public Optional<RateLimiter> create(String application, Settings settings, Signals signals) {
        LOG.log(
                System.Logger.Level.WARNING,
                "limiter.redis.uri is not set: the limits of \"{0}\" are held in memory, and each process admits the whole"
                        + " limit; set it to share them, such as redis://localhost:6379",
                application);
        return Optional.of(
                new LocalRateLimiter(new MemoryStore(new SteadyClock(), signals), BlockingAcquire.Sleeper.OF_THREADS));
    }
}
