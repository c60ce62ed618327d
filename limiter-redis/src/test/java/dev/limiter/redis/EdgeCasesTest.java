package dev.limiter.redis;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.redis.Stores.Fresh;
import dev.limiter.redis.Stores.Store;
import dev.limiter.redis.internal.script.VirtualTime;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Large numbers and rare states, which random histories seldom reach. */
class EdgeCasesTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Duration YEAR = Duration.ofDays(366);

    @AutoClose
    private static final Stores stores = new Stores();

    /**
     * A sliding window in which the sides of the comparison are equal as doubles, and are not.
     *
     * @param left the most that may be left of the window for one more to fit
     */
    private record Close(Policy policy, long previous, long current, long left) {

        static Close draw(SplittableRandom random) {
            Policy policy = Policy.of("p", SLIDING_WINDOW, Integer.MAX_VALUE - random.nextInt(1_000), YEAR);
            long previous = 1 + random.nextInt((int) policy.limit());
            long current = random.nextInt((int) policy.limit());
            long left = space(policy, current)
                    .divide(BigInteger.valueOf(previous))
                    .min(BigInteger.valueOf(1L << 62))
                    .longValueExact();
            return new Close(policy, previous, current, left);
        }

        boolean isOneTooFarHardToTell() {
            return left < policy.windowMicros() && isHardToTell(left + 1);
        }

        boolean isLastOneHardToTell() {
            return left < policy.windowMicros() && isHardToTell(left);
        }

        private boolean isHardToTell(long micros) {
            BigInteger load = BigInteger.valueOf(previous).multiply(BigInteger.valueOf(micros));
            return load.doubleValue() == space(policy, current).doubleValue();
        }

        private static BigInteger space(Policy policy, long current) {
            return BigInteger.valueOf(policy.limit() - current - 1).multiply(BigInteger.valueOf(policy.windowMicros()));
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void anEstimateIsExactWhereDoublesAreNot(Store store) {
        SplittableRandom random = new SplittableRandom(76);
        int lastOnes = 0;
        int tooFar = 0;
        while (lastOnes < 30 || tooFar < 30) {
            Close close = Close.draw(random);
            if (close.isLastOneHardToTell() || close.isOneTooFarHardToTell()) {
                lastOnes += close.isLastOneHardToTell() ? 1 : 0;
                tooFar += close.isOneTooFarHardToTell() ? 1 : 0;
                requireExact(close, stores.fresh(store));
            }
        }
    }

    private static void requireExact(Close close, Fresh fresh) {
        Policy policy = close.policy();
        long began = beginOfWindow(fresh.time(), policy);
        long ends = began + 2 * policy.windowMicros();
        fresh.time().move(began);
        fresh.limiter().charge(policy, ALICE, close.previous());
        fresh.time().move(began + policy.windowMicros());
        if (close.current() > 0) {
            fresh.limiter().charge(policy, ALICE, close.current());
        }
        fresh.time().move(ends - close.left() - 1);
        assertThat(fresh.limiter().peek(policy, ALICE).retryAfterMicros())
                .as("%s", close)
                .isEqualTo(1);
        fresh.time().move(ends - close.left());
        assertThat(fresh.limiter().peek(policy, ALICE).admitted())
                .as("%s", close)
                .isTrue();
    }

    /**
     * Tokens taken under one limit come back no later than they would have under it, however low
     * the limit is set then.
     */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aLimitThatIsLoweredMakesNoDebtLongerThanItWas(Store store) {
        Fresh fresh = stores.fresh(store);
        Policy before = Policy.of("p", TOKEN_BUCKET, Integer.MAX_VALUE, YEAR).withRefill(Refill.INTERVAL);
        Policy after = Policy.of("p", TOKEN_BUCKET, 1, YEAR).withRefill(Refill.INTERVAL);
        fresh.limiter().charge(before, ALICE, Integer.MAX_VALUE);
        assertThat(fresh.limiter().charge(before, ALICE, Integer.MAX_VALUE).charged())
                .isEqualTo(Integer.MAX_VALUE);
        CheckResult result = fresh.limiter().acquire(after, ALICE).results().get(0);
        assertThat(result.retryAfterMicros()).isEqualTo(2 * before.windowMicros());
        assertThat(result.resetAfterMicros()).isEqualTo(2 * before.windowMicros());
        assertThat(fresh.limiter().charge(after, ALICE, 5).dropped()).isEqualTo(5);
        fresh.time().advance(result.retryAfterMicros() - 1);
        assertThat(fresh.limiter().acquire(after, ALICE).admitted()).isFalse();
        fresh.time().advance(1);
        assertThat(fresh.limiter().acquire(after, ALICE).admitted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aBucketThatIsRefilledOtherwiseIsAnotherBucket(Store store) {
        Fresh fresh = stores.fresh(store);
        Policy smooth = Policy.of("p", TOKEN_BUCKET, 5, Duration.ofSeconds(10));
        Policy interval = smooth.withRefill(Refill.INTERVAL);
        for (int i = 4; i >= 0; i--) {
            assertThat(fresh.limiter().acquire(smooth, ALICE).results().get(0).remaining())
                    .isEqualTo(i);
            assertThat(fresh.limiter().acquire(interval, ALICE).results().get(0).remaining())
                    .isEqualTo(i);
        }
    }

    /** Expired leases go when a request is admitted, sixteen at a time. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void expiredLeasesGoSixteenAtATime(Store store) {
        Fresh fresh = stores.fresh(store);
        Policy leases = Policy.of("p", CONCURRENCY, 100, Duration.ofSeconds(10));
        for (int i = 0; i < 40; i++) {
            acquire(fresh.limiter(), leases, 1);
        }
        fresh.time().advance(10_000_000);
        assertThat(fresh.limiter().peek(leases, ALICE).remaining()).isEqualTo(100);
        acquire(fresh.limiter(), leases, 1);
        assertThat(fresh.limiter().peek(leases, ALICE).remaining()).isEqualTo(99);
        // With the clock set back, the remaining leases are live again, which shows how many
        // were pruned.
        fresh.time().advance(-5_000_000);
        assertThat(fresh.limiter().peek(leases, ALICE).remaining()).isEqualTo(100 - (40 - 16) - 1);
    }

    /** A thousand at once: the first caller finds the step for all of them. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aStepBackIsForgottenByAllLeasesAtOnce(Store store) {
        Fresh fresh = stores.fresh(store);
        Policy leases = Policy.of("p", CONCURRENCY, 1_000, Duration.ofSeconds(10));
        for (int i = 0; i < 1_000; i++) {
            acquire(fresh.limiter(), leases, 1);
        }
        fresh.time().advance(-3_600_000_000L);
        assertThat(fresh.limiter().acquire(leases, ALICE).admitted()).isFalse();
        fresh.time().advance(9_999_999);
        assertThat(fresh.limiter().acquire(leases, ALICE).admitted()).isFalse();
        fresh.time().advance(1);
        assertThat(fresh.limiter().peek(leases, ALICE).remaining()).isEqualTo(1_000);
    }

    /**
     * A slot that another has taken since, at the very same instant under another limit, is not
     * given back.
     */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aSlotOfAnotherLimitIsAnotherSlot(Store store) {
        Fresh fresh = stores.fresh(store);
        Duration second = Duration.ofSeconds(1);
        Policy one = Policy.leakyBucket("p", 1, second, second);
        Policy two = Policy.leakyBucket("p", 2, second, second);
        Decision.Admitted first = acquire(fresh.limiter(), one, 1);
        fresh.limiter().reset(one, ALICE);
        acquire(fresh.limiter(), two, 2);
        assertThat(fresh.limiter().refund(first)).isFalse();
        assertThat(fresh.limiter().peek(two, ALICE).runAfterMicros()).isEqualTo(1_000_000);
    }

    /**
     * A refund is often the first call after a step of the clock. It must not hide the step from
     * later calls.
     */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aRefundAfterAStepBackLocksNoCallerOut(Store store) {
        Duration ten = Duration.ofSeconds(10);
        for (Policy policy : List.of(
                Policy.of("p", GCRA, 5, ten), Policy.of("p", UNIFORM, 5, ten), Policy.leakyBucket("p", 5, ten, ten))) {
            Fresh fresh = stores.fresh(store);
            Decision.Admitted last = null;
            for (long unit = 0; unit < policy.capacity(); unit++) {
                last = acquire(fresh.limiter(), policy, 1);
            }
            fresh.time().advance(-3_600_000_000L);
            fresh.limiter().refund(last);
            assertThat(fresh.limiter().peek(policy, ALICE).resetAfterMicros()).isLessThanOrEqualTo(20_000_000);
            fresh.time().advance(20_000_000);
            assertThat(fresh.limiter().peek(policy, ALICE).remaining()).isEqualTo(policy.capacity());
        }
    }

    @Test
    void aLogThatHasRestedBeginsAnewAndOneThatIsMovedLivesOn() {
        Fresh fresh = stores.fresh(Store.REDIS);
        Policy log = Policy.of("p", SLIDING_LOG, 1_000, Duration.ofHours(1));
        acquire(fresh.limiter(), log, 1_000);
        fresh.time().advance(3_600_000_000L);
        acquire(fresh.limiter(), log, 1);
        assertThat(stores.jedis().llen(onlyKey())).isEqualTo(1);
        fresh.time().advance(-2 * 3_600_000_000L);
        assertThat(fresh.limiter().acquire(log, ALICE).results().get(0).remaining())
                .isEqualTo(998);
        assertThat(stores.jedis().pttl(onlyKey())).isGreaterThan(3_000_000);
    }

    /**
     * A refund of the youngest unit must not let the log's time run back: units that had left
     * its window stay out.
     */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aRefundBringsNothingBackIn(Store store) {
        Fresh fresh = stores.fresh(store);
        Policy log = Policy.of("p", SLIDING_LOG, 10, Duration.ofSeconds(10));
        acquire(fresh.limiter(), log, 8);
        fresh.time().advance(10_000_000);
        Decision.Admitted youngest = acquire(fresh.limiter(), log, 1);
        fresh.time().advance(-5_000_000);
        assertThat(fresh.limiter().peek(log, ALICE).remaining()).isEqualTo(9);
        assertThat(fresh.limiter().refund(youngest)).isTrue();
        assertThat(fresh.limiter().peek(log, ALICE).remaining()).isEqualTo(10);
    }

    private static Decision.Admitted acquire(RateLimiter limiter, Policy policy, long cost) {
        return (Decision.Admitted) limiter.acquire(CheckGroup.of(new Check(policy, ALICE, cost)));
    }

    private static String onlyKey() {
        assertThat(stores.jedis().keys("*")).hasSize(1);
        return stores.jedis().keys("*").iterator().next();
    }

    private static long beginOfWindow(VirtualTime time, Policy policy) {
        long phase = Check.of(policy, ALICE).phaseMicros();
        return time.micros() - Math.floorMod(time.micros() - phase, policy.windowMicros());
    }
}
