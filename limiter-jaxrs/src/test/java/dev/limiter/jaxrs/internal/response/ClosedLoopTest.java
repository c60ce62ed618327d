package dev.limiter.jaxrs.internal.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.jaxrs.internal.request.ParsedFields;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.testkit.property.TestSize;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client that is alone on its key and follows the responses. After each request every claim of
 * the response is tried out, in virtual time, on limiters with the same history.
 */
@Tag("proof")
class ClosedLoopTest {
    private static final int ROUNDS = TestSize.of(50_000);
    private static final int ROUNDS_OF_ONE_CLIENT = 12;
    private static final long SECOND = 1_000_000;
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");
    private static final long[] WINDOWS = {
        500_000, 997_003, SECOND, 3 * SECOND, 7 * SECOND, 10_000_019, 60 * SECOND, 100 * SECOND
    };

    private enum Kind {
        FIXED_WINDOW(Algorithm.FIXED_WINDOW),
        FIXED_WINDOW_ALIGNED(Algorithm.FIXED_WINDOW),
        SLIDING_WINDOW(Algorithm.SLIDING_WINDOW),
        SLIDING_LOG(Algorithm.SLIDING_LOG),
        TOKEN_BUCKET(Algorithm.TOKEN_BUCKET),
        TOKEN_BUCKET_BORROW(Algorithm.TOKEN_BUCKET),
        TOKEN_BUCKET_INTERVAL(Algorithm.TOKEN_BUCKET),
        TOKEN_BUCKET_INTERVAL_BORROW(Algorithm.TOKEN_BUCKET),
        GCRA(Algorithm.GCRA),
        UNIFORM(Algorithm.UNIFORM),
        LEAKY_BUCKET(Algorithm.LEAKY_BUCKET),
        CONCURRENCY(Algorithm.CONCURRENCY);

        private final Algorithm algorithm;

        Kind(Algorithm algorithm) {
            this.algorithm = algorithm;
        }

        Policy policy(SplittableRandom random) {
            long limit = 1 + random.nextInt(12);
            long micros = WINDOWS[random.nextInt(WINDOWS.length)];
            Duration window = Duration.ofNanos(micros * 1_000);
            if (this == LEAKY_BUCKET) {
                long held = random.nextInt(20) * micros / limit;
                return Policy.leakyBucket("p", limit, window, Duration.ofNanos(held * 1_000));
            }
            Policy policy = Policy.of("p", algorithm, limit, window);
            if (algorithm.accepts(Algorithm.Member.BURST)) {
                policy = policy.withBurst(1 + random.nextInt(20));
            }
            if (this == TOKEN_BUCKET_BORROW || this == TOKEN_BUCKET_INTERVAL_BORROW) {
                policy = policy.borrowing();
            }
            if (this == TOKEN_BUCKET_INTERVAL || this == TOKEN_BUCKET_INTERVAL_BORROW) {
                policy = policy.withRefill(Refill.INTERVAL);
            }
            return this == FIXED_WINDOW_ALIGNED ? policy.alignedToTheClock() : policy;
        }
    }

    /**
     * How often each claim was made, so that none of them is true only because it was never
     * made.
     */
    private static final class Seen {
        private int rounds;
        private int rejections;
        private int spans;
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatWaitsAsToldIsAdmitted(Kind kind) {
        SplittableRandom random = new SplittableRandom(20_261_121L + kind.ordinal());
        Seen seen = new Seen();
        while (seen.rounds < ROUNDS) {
            Past past = new Past(kind.policy(random), new ArrayList<>());
            long heldMicros = 0;
            for (int round = 0; round < ROUNDS_OF_ONE_CLIENT && seen.rounds < ROUNDS; round++) {
                past.steps().add(new Step(heldMicros + wait(past.policy(), random), cost(past.policy(), random)));
                Decision decision = past.live().last();
                check(past, decision, random, seen);
                boolean waitsForItsSlot = random.nextBoolean();
                heldMicros = waitsForItsSlot ? decision.results().get(0).runAfterMicros() : 0;
                seen.rounds++;
            }
        }
        assertThat(seen.rounds).isEqualTo(ROUNDS);
        assertThat(seen.rejections).as("rejections").isGreaterThan(ROUNDS / 10);
        if (kind != Kind.CONCURRENCY) {
            assertThat(seen.spans).as("answers with t").isGreaterThan(ROUNDS / 4);
        }
    }

    private static void check(Past past, Decision decision, SplittableRandom random, Seen seen) {
        ParsedFields fields = ParsedFields.of(decision);
        long r = fields.r("p");
        long seconds = fields.t("p");
        assertThat(r).as("%s", past).isEqualTo(decision.results().get(0).remaining());
        if (decision instanceof Decision.Rejected rejected) {
            seen.rejections++;
            rejectionHolds(past, rejected);
        }
        Lived atOnce = past.live();
        assertThat(atOnce.drain()).as("what r promises at once, %s", past).isEqualTo(r);
        if (seconds > 0) {
            seen.spans++;
            assertThat(atOnce.after(seconds * SECOND - 1).drain())
                    .as("more than r within t, all at once, %s", past)
                    .isZero();
            assertThat(usedWithin(seconds * SECOND, past, random))
                    .as("more than r within t, %s", past)
                    .isLessThanOrEqualTo(r);
        }
        if (past.policy().algorithm() == Algorithm.CONCURRENCY) {
            assertThat(seconds).as("leases come back when they do, %s", past).isZero();
        }
    }

    private static void rejectionHolds(Past past, Decision.Rejected rejected) {
        long retryAfter = rejected.results().get(0).retryAfterMicros();
        long seconds = RetryAfterHeader.EXACT.seconds(rejected);
        if (past.policy().algorithm() == Algorithm.CONCURRENCY) {
            assertThat(seconds).as("a hint, %s", past).isEqualTo(1);
            return;
        }
        long cost = past.lastCost();
        Lived obedient = past.live().after(retryAfter - 1);
        assertThat(obedient.asks(cost)).as("1 µs before retryAfter, %s", past).isFalse();
        assertThat(obedient.after(1).asks(cost))
                .as("after retryAfter, %s", past)
                .isTrue();
        assertThat(past.live().after(seconds * SECOND).asks(cost))
                .as("after Retry-After, %s", past)
                .isTrue();
        assertThat(seconds * SECOND).isBetween(retryAfter, Math.max(SECOND, retryAfter + SECOND - 1));
    }

    /**
     * Units that pass in the span, some of them now, some at instants between, all that can at
     * its last microsecond.
     */
    private static long usedWithin(long spanMicros, Past past, SplittableRandom random) {
        Lived lived = past.live();
        long used = 0;
        long at = 0;
        for (int visit = 0; visit < 4; visit++) {
            for (int unit = random.nextInt(3); unit > 0; unit--) {
                used += lived.asks(1) ? 1 : 0;
            }
            long wait = random.nextLong(spanMicros - at);
            lived.after(wait);
            at += wait;
        }
        return used + lived.after(spanMicros - 1 - at).drain();
    }

    /** At once, or around a unit, a window or a second, or whenever. */
    private static long wait(Policy policy, SplittableRandom random) {
        long window = policy.windowMicros();
        long unit = Math.max(1, window / policy.limit());
        return switch (random.nextInt(6)) {
            case 0, 1 -> 0;
            case 2 -> random.nextLong(2 * unit + 2);
            case 3 -> window - 2 + random.nextLong(5);
            case 4 -> random.nextLong(SECOND);
            default -> random.nextLong(window);
        };
    }

    private static long cost(Policy policy, SplittableRandom random) {
        return random.nextBoolean() ? 1 : 1 + random.nextLong(policy.maxCost());
    }

    /** Waits, then asks. */
    private record Step(long waitMicros, long cost) {}

    /** The requests of one client under one policy. */
    private record Past(Policy policy, List<Step> steps) {

        Lived live() {
            Clock clock = new Clock();
            Lived lived = new Lived(policy, new LocalRateLimiter(clock), clock, null);
            for (Step step : steps) {
                lived.after(step.waitMicros());
                lived = new Lived(policy, lived.limiter(), clock, lived.ask(step.cost()));
            }
            return lived;
        }

        long lastCost() {
            return steps.get(steps.size() - 1).cost();
        }
    }

    /** A limiter with a past. */
    private record Lived(Policy policy, LocalRateLimiter limiter, Clock clock, Decision last) {

        Decision ask(long cost) {
            return limiter.acquire(CheckGroup.of(new Check(policy, KEY, cost)));
        }

        boolean asks(long cost) {
            return ask(cost).admitted();
        }

        Lived after(long micros) {
            clock.micros += micros;
            return this;
        }

        /** How many requests of one unit pass at this instant. */
        long drain() {
            long passed = 0;
            while (asks(1)) {
                passed++;
            }
            return passed;
        }
    }

    private static final class Clock implements InstantSource {
        private long micros = 1_700_000_000_000_000L;

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(micros / SECOND, micros % SECOND * 1_000);
        }
    }
}
