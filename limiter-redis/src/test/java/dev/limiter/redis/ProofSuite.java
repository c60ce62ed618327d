package dev.limiter.redis;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.model.Histories;
import dev.limiter.model.History;
import dev.limiter.model.Kind;
import dev.limiter.model.Pause;
import dev.limiter.model.Step;
import dev.limiter.redis.internal.script.Proof;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.threads.ManyThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * All checks of the scripts and their client, short and in one call, so that they can run on a
 * mutant.
 */
public final class ProofSuite {
    private static final int ROUNDS = 50;
    private static final int THREADS = 8;
    private static final int RACES = 20;
    private static final long DAY = 86_400_000_000L;
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    private ProofSuite() {}

    /**
     * The first failure: a result that differs from the model's, an impossible one, or a key
     * left in Redis. Empty if there is none.
     *
     * @param percent how much of the random histories is drawn
     * @throws IllegalStateException if Redis itself refused a script, which proves nothing
     */
    public static Optional<String> failure(String uri, int percent) throws Exception {
        try (RedisClient jedis = RedisClient.create(uri)) {
            race(jedis);
            Proof proof = new Proof(jedis);
            proof.watched(tariffs());
            proof.watched(settledWhileItLeaks());
            proof.watched(givenBackAfterARaise());
            proof.watched(endedMonths());
            proof.watched(movedMonths());
            Dice dice = new Dice(20_261_121);
            for (int round = 0; round < ROUNDS * percent / 100.0; round++) {
                for (Kind kind : Kind.all()) {
                    proof.watched(Histories.of(kind).draw(dice));
                }
            }
            return Optional.empty();
        } catch (AssertionError | RuntimeException | ExecutionException failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof JedisException) {
                    throw new IllegalStateException("Redis refuses what was planted", cause);
                }
            }
            return Optional.of(String.valueOf(failure.getMessage()));
        }
    }

    /** Threads that ask at one instant share one limit exactly. */
    private static void race(RedisClient jedis) throws Exception {
        for (int race = 0; race < RACES; race++) {
            jedis.flushAll();
            RateLimiter limiter = new VirtualTime(jedis).limiter("race");
            for (Algorithm algorithm : List.of(FIXED_WINDOW, SLIDING_LOG, GCRA)) {
                Policy ten = Policy.of(algorithm.name(), algorithm, 10, Duration.ofMinutes(1));
                List<Long> each = ManyThreads.call(
                        THREADS,
                        () -> LongStream.range(0, 5)
                                .filter(i -> limiter.acquire(ten, ALICE).admitted())
                                .count());
                long admitted = each.stream().reduce(0L, Long::sum);
                if (admitted != 10) {
                    throw new AssertionError(admitted + " admitted at limit 10 of " + algorithm + " by " + THREADS
                            + " threads at one instant");
                }
            }
        }
    }

    /**
     * An estimate of 4 is settled at 2 after 3 s, in which 3 units have leaked. One comes back,
     * though a later charge leaves a backlog of 6.
     */
    private static History settledWhileItLeaks() {
        Policy bucket = Policy.of("bucket", GCRA, 10, Duration.ofSeconds(10));
        List<Step> steps = new ArrayList<>();
        for (int cost : new int[] {4, 5}) {
            steps.add(new Step.Acquire(
                    new Pause.Fixed(3_000_000), List.of(CheckGroup.of(new Check(bucket, ALICE, cost)))));
        }
        steps.add(new Step.Settle(new Pause.Fixed(0), 1, 0, 50));
        return new History("an estimate of a bucket", steps);
    }

    /**
     * 10 units of 1 a day leak at 1,000 a day after a raise. A day later they have left long
     * since. They do not come back, though later units are in use.
     */
    private static History givenBackAfterARaise() {
        Policy low =
                Policy.of("raised", GCRA, 1, Duration.ofDays(1)).withBurst(50).withVaryingLimit();
        Policy high = Policy.of("raised", GCRA, 1_000, Duration.ofDays(1))
                .withBurst(50)
                .withVaryingLimit();
        List<Step> steps = new ArrayList<>();
        for (Policy policy : List.of(low, high, high, high)) {
            steps.add(new Step.Acquire(
                    new Pause.Fixed(43_200_000_000L), List.of(CheckGroup.of(new Check(policy, ALICE, 10)))));
        }
        steps.add(new Step.Refund(new Pause.Fixed(0), 3));
        steps.add(new Step.Peek(new Pause.Fixed(0), CheckGroup.of(Check.of(high, ALICE))));
        return new History("a unit given back after a raise", steps);
    }

    /**
     * Two of four units of November come back in December, and January has none. A policy that
     * keeps nothing comes in between.
     */
    private static History endedMonths() {
        Policy plan = Policy.of("plan", 10, CalendarPeriod.parse("1 month")).keepingPrevious();
        Policy forgets = Policy.of("plan", 10, CalendarPeriod.parse("1 month"));
        List<Step> steps = new ArrayList<>();
        steps.add(asked(plan, 0, 4)); // on November 14
        steps.add(new Step.Peek(new Pause.Said(Pause.Figure.RESET, 0, 0), one(plan)));
        steps.add(asked(plan, 0, 3));
        steps.add(new Step.Settle(new Pause.Fixed(0), 1, 0, 50));
        steps.add(new Step.Refund(new Pause.Fixed(0), 0));
        steps.add(asked(plan, 0, 5));
        steps.add(new Step.Peek(new Pause.Said(Pause.Figure.RESET, 0, 0), one(plan))); // December is over
        steps.add(new Step.Peek(new Pause.Fixed(31 * DAY), one(plan))); // and so is January
        steps.add(asked(plan, 0, 1));
        steps.add(asked(forgets, 0, 1));
        steps.add(asked(plan, 0, 1));
        steps.add(asked(forgets, 29 * DAY, 1)); // in March
        steps.add(asked(plan, 0, 1));
        steps.add(asked(plan, 31 * DAY, 1));
        return new History("the months that ended", steps);
    }

    /** A month ends on December 1. Its next one, moved to the 20th, ends on January 20. */
    private static History movedMonths() {
        CalendarPeriod month = CalendarPeriod.parse("1 month").movable();
        Policy first = Policy.of("plan", 10, month).keepingPrevious();
        Policy moved = Policy.of("plan", 10, month.withAnchor("20")).keepingPrevious();
        return new History(
                "a month that was moved",
                List.of(
                        asked(first, 0, 4),
                        asked(moved, 38 * DAY, 3), // on December 22
                        new Step.Refund(new Pause.Fixed(0), 1),
                        asked(moved, 30 * DAY, 2))); // on January 21
    }

    private static Step asked(Policy policy, long pauseMicros, long cost) {
        return new Step.Acquire(new Pause.Fixed(pauseMicros), List.of(CheckGroup.of(new Check(policy, ALICE, cost))));
    }

    private static CheckGroup one(Policy policy) {
        return CheckGroup.of(Check.of(policy, ALICE));
    }

    /**
     * One name, one key, two windows: a tier, or a window that was changed. Neither may read the
     * other's state.
     */
    private static History tariffs() {
        List<Step> steps = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            for (Algorithm algorithm : Algorithm.values()) {
                for (long seconds : new long[] {10, 60}) {
                    Duration window = Duration.ofSeconds(seconds);
                    Policy policy = algorithm == Algorithm.LEAKY_BUCKET
                            ? Policy.leakyBucket("leaky", 3, window, Duration.ofSeconds(5))
                            : Policy.of(algorithm.name(), algorithm, algorithm == Algorithm.GATE ? 1 : 3, window);
                    if (algorithm != Algorithm.CONCURRENCY) {
                        CheckGroup group = CheckGroup.of(Check.of(policy, ALICE));
                        steps.add(new Step.Acquire(new Pause.Fixed(1_000_000), List.of(group)));
                    }
                }
            }
        }
        return new History("tariffs", steps);
    }
}
