package dev.limiter.local;

import dev.limiter.Algorithm;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** A random past of one partition that can be lived through any number of times. */
record History(Policy policy, List<Step> steps) {
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");

    /** Waits, then asks. */
    record Step(long waitMicros, long cost) {}

    /** A limiter with this past, and the clock it lives by. */
    record Lived(LocalRateLimiter limiter, VirtualClock clock, Policy policy, Decision last) {

        Decision ask(long cost) {
            return limiter.acquire(Group.of(new Demand(policy, KEY, cost)));
        }

        Lived after(long micros) {
            clock.advance(micros);
            return this;
        }

        /** How many single units pass at this instant. */
        long drain() {
            long passed = 0;
            while (ask(1).admitted()) {
                passed++;
            }
            return passed;
        }
    }

    Lived live() {
        VirtualClock clock = new VirtualClock();
        LocalRateLimiter limiter = new LocalRateLimiter(clock);
        Lived lived = new Lived(limiter, clock, policy, null);
        for (Step step : steps) {
            lived = new Lived(
                    limiter, clock, policy, lived.after(step.waitMicros()).ask(step.cost()));
        }
        return lived;
    }

    long lastCost() {
        return steps.get(steps.size() - 1).cost();
    }

    /** Small limits, windows that the limit divides or not, bursts at one instant, and waits around a unit and a window. */
    static Arbitrary<History> histories() {
        Arbitrary<Policy> policies = Combinators.combine(
                        Arbitraries.of(Algorithm.values()),
                        Arbitraries.longs().between(1, 12),
                        Arbitraries.of(1L, 7L, 997L, 1_000_000L, 10_000_019L),
                        Arbitraries.longs().between(1, 20))
                .as((algorithm, limit, window, burst) -> new Policy(
                        "p", algorithm, limit, Duration.ofNanos(window * 1_000), algorithm.hasBurst() ? burst : 0));
        return policies.flatMap(
                policy -> steps(policy).list().ofMinSize(1).ofMaxSize(40).map(steps -> new History(policy, steps)));
    }

    private static Arbitrary<Step> steps(Policy policy) {
        long window = policy.windowMicros();
        long unit = window / policy.limit();
        Arbitrary<Long> waits = Arbitraries.oneOf(
                Arbitraries.just(0L),
                Arbitraries.longs().between(0, 2 * unit + 2),
                Arbitraries.longs().between(Math.max(0, window - 2), window + 2),
                Arbitraries.longs().between(0, 3 * window));
        Arbitrary<Long> costs =
                Arbitraries.oneOf(Arbitraries.just(1L), Arbitraries.longs().between(1, policy.maxCost()));
        return Combinators.combine(waits, costs).as(Step::new);
    }
}
