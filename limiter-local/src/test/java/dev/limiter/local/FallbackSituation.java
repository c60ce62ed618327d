package dev.limiter.local;

import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.OnStoreFailure.LOCAL;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A store that comes and goes, on a clock that stands until it is moved. */
abstract class FallbackSituation {
    static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    static final Policy FIVE = Policy.of("five", SLIDING_LOG, 5, Duration.ofSeconds(10));
    static final Policy SHOW = Policy.of("show", SLIDING_LOG, 100, Duration.ofMinutes(10));

    final VirtualClock clock = new VirtualClock();
    final FailingStore store = new FailingStore(new LocalRateLimiter(clock));
    final FollowingStore memory = new FollowingStore(clock);
    final LocalRateLimiter mirror = new LocalRateLimiter(memory, BlockingAcquire.Sleeper.OF_THREADS);
    final FallbackRateLimiter limiter = limiter(LOCAL, 1);

    FallbackRateLimiter limiter(OnStoreFailure configured, int nodes) {
        return new FallbackRateLimiter(store, configured, nodes, Signals.NONE, memory);
    }

    boolean refund(Decision decision) {
        return limiter.refund((Decision.Admitted) decision);
    }

    static Duration runAfter(Decision decision) {
        return ((Decision.Admitted) decision).runAfter();
    }

    static CheckGroup group(Policy... policies) {
        List<Check> checks = new ArrayList<>();
        for (Policy policy : policies) {
            checks.add(Check.of(policy, ALICE));
        }
        return new CheckGroup(checks);
    }

    long drain(Policy policy) {
        long admitted = 0;
        while (limiter.acquire(policy, ALICE).admitted()) {
            admitted++;
        }
        return admitted;
    }

    void seconds(long seconds) {
        clock.advance(seconds * 1_000_000);
    }
}
