package dev.limiter.local.internal.instances;

import dev.limiter.RateLimiter;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.local.internal.memory.SteadyClock;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.util.List;
import java.util.Optional;

/** Serves settings that name no store, and warns of the consequence. */
public final class LocalRateLimiterProvider implements RateLimiterProvider {
    private static final System.Logger LOG = System.getLogger("dev.limiter.local.LocalRateLimiterProvider");

    /** For {@link java.util.ServiceLoader}. */
    public LocalRateLimiterProvider() {}

    @Override
    public List<Setting<?>> settings() {
        return List.of(EXPECTED_INSTANCES);
    }

    @Override
    public Optional<RateLimiter> create(String application, Settings settings, Signals signals) {
        int processes = EXPECTED_INSTANCES.in(settings);
        LOG.log(
                System.Logger.Level.WARNING,
                "limiter.redis.uri is not set: the limits of \"{0}\" are held in memory, and {1}; to share them, set it"
                        + " to your Redis, such as redis://localhost:6379",
                application,
                processes == 1
                        ? "each process admits the whole limit"
                        : "each of " + processes + " processes admits its part (limiter.expected-instances)");
        RateLimiter memory =
                new LocalRateLimiter(new MemoryStore(new SteadyClock(), signals), BlockingAcquire.Sleeper.OF_THREADS);
        return Optional.of(processes == 1 ? memory : new DividingRateLimiter(memory, processes, System::nanoTime));
    }
}
