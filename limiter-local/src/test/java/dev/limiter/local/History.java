package dev.limiter.local;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.testkit.property.Generator;
import dev.limiter.testkit.property.Lines;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;

/** A random history of one partition that can run any number of times. */
public record History(Policy policy, List<Step> steps) {
    private static final List<Algorithm> COUNTING = List.copyOf(EnumSet.complementOf(EnumSet.of(Algorithm.GATE)));
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");

    /** Waits, then asks. */
    public record Step(long waitMicros, long cost) {}

    /** A limiter after this history, with its clock. */
    record Lived(LocalRateLimiter limiter, VirtualClock clock, Policy policy, Decision last) {

        Decision ask(long cost) {
            return limiter.acquire(CheckGroup.of(new Check(policy, KEY, cost)));
        }

        Lived after(long micros) {
            clock.advance(micros);
            return this;
        }

        /** Takes single units at this instant until a rejection, and returns their number. */
        long drain() {
            long passed = 0;
            while (ask(1).admitted()) {
                passed++;
            }
            return passed;
        }
    }

    /** A line for each step, as a failing property shows it. */
    @Override
    public String toString() {
        return Lines.numbered(policy, steps);
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

    /**
     * A property of histories whose policy passes this test. It leaves out steps of a failing
     * history.
     */
    public static Property<History> forAll(Predicate<Policy> which) {
        return Property.<History>forAll(dice -> {
                    Policy policy = policies().filter(which).draw(dice);
                    return new History(policy, dice.list(1, 40, steps(policy)));
                })
                .leavingOut(History::steps, (history, steps) -> new History(history.policy(), steps));
    }

    /** Small limits, and windows that the limit divides or not. */
    public static Generator<Policy> policies() {
        return dice -> policy(
                dice.oneOf(COUNTING),
                dice.number(1, 12),
                dice.oneOf(1L, 7L, 997L, 1_000_000L, 10_000_019L),
                dice.number(1, 20),
                (int) dice.between(0, 3));
    }

    /** Each algorithm in each of its kinds. */
    private static Policy policy(Algorithm algorithm, long limit, long windowMicros, long burst, int kind) {
        Duration window = Duration.ofNanos(windowMicros * 1_000);
        return switch (algorithm) {
            case LEAKY_BUCKET ->
                Policy.leakyBucket("p", limit, window, Duration.ofNanos(burst * windowMicros / limit * 1_000));
            case TOKEN_BUCKET -> {
                Policy bucket = Policy.of("p", algorithm, limit, window)
                        .withBurst(burst)
                        .withRefill(kind % 2 == 0 ? Refill.SMOOTH : Refill.INTERVAL);
                yield kind < 2 ? bucket : bucket.borrowing();
            }
            case GCRA -> Policy.of("p", algorithm, limit, window).withBurst(burst);
            case FIXED_WINDOW, SLIDING_WINDOW -> {
                Policy windows = Policy.of("p", algorithm, limit, window);
                yield kind == 0 ? windows.alignedToTheClock() : windows;
            }
            case GATE -> throw new IllegalArgumentException("a gate counts nothing");
            case SLIDING_LOG, UNIFORM, CONCURRENCY -> Policy.of("p", algorithm, limit, window);
        };
    }

    /** Bursts at one instant, and waits around a unit and a window. */
    static Generator<Step> steps(Policy policy) {
        long window = policy.windowMicros();
        long unit = window / policy.limit();
        return dice -> new Step(
                dice.oneOf(
                        0L,
                        dice.number(0, 2 * unit + 2),
                        dice.between(Math.max(0, window - 2), window + 2),
                        dice.number(0, 3 * window)),
                dice.oneOf(1L, dice.number(1, policy.maxCost())));
    }
}
