package dev.limiter.local;

import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimiter;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.spi.Signals;

/** Beside a store that answers, the fallback changes nothing. */
class FallbackContractTest extends RateLimiterContract.OnAClock {
    private final VirtualClock clock = new VirtualClock();

    @Override
    protected RateLimiter limiter(Signals signals) {
        return new FallbackRateLimiter(
                new LocalRateLimiter(new MemoryStore(clock, signals), BlockingAcquire.Sleeper.OF_THREADS),
                OnStoreFailure.LOCAL,
                1,
                Signals.NONE,
                new FollowingStore(clock));
    }

    @Override
    protected void advance(long micros) {
        clock.advance(micros);
    }
}
