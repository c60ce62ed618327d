package dev.limiter.operations.internal;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication.Candidate;
import dev.limiter.jaxrs.internal.signals.MeteredRateLimiter;
import dev.limiter.jaxrs.internal.signals.RejectionLog;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.RateLimiterContract;
import dev.limiter.local.VirtualClock;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Each layer by itself: whatever it adds, it keeps what the limiter below it promises. */
@ParameterizedClass
@EnumSource
class LayersContractTest extends RateLimiterContract.OnAClock {
    @Parameter
    private Stack stack;

    private final VirtualClock clock = new VirtualClock();

    enum Stack {
        METERED(next -> new MeteredRateLimiter(next, Signals.NONE, new RejectionLog(System::nanoTime))),
        CANDIDATES(next -> new Candidates(next, Stack::candidate, name -> 1)),
        BANS(Bans::new),
        FORGIVEN(Stack::forgiven),
        REJECTIONS(next -> new Rejections(next, System::nanoTime, name -> true));

        private final UnaryOperator<RateLimiter> over;

        Stack(UnaryOperator<RateLimiter> over) {
            this.over = over;
        }

        private static Candidate candidate(Policy beside) {
            return new Candidate(Policy.of(beside.name() + ".candidate", Algorithm.GCRA, 1, Duration.ofHours(1)), 1);
        }

        private static RateLimiter forgiven(RateLimiter next) {
            Forgiven layer = new Forgiven(next, (policy, key) -> {}, PartitionKey::text);
            layer.add(new Change(
                    Change.TAKEN_BACK, "day", PartitionKey.of("user", "alice").text(), Map.of(), 0, 0, "", ""));
            return layer;
        }
    }

    @Override
    protected RateLimiter limiter(Signals signals) {
        return stack.over.apply(
                new LocalRateLimiter(new MemoryStore(clock, signals), BlockingAcquire.Sleeper.OF_THREADS));
    }

    @Override
    protected void advance(long micros) {
        clock.advance(micros);
    }
}
