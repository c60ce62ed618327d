package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.redis.Stores.Fresh;
import dev.limiter.redis.Stores.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server's clock may step. No caller is locked out for longer than
 * {@code max(2W, (B + debt) · T)}. A step forward by J gives at most the units of J and one full
 * quota.
 */
@Tag("store")
class ClockStepsTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final long HOUR = 3_600_000_000L;

    @AutoClose
    private static final Stores stores = new Stores();

    static List<Arguments> policies() {
        List<Policy> policies = List.of(
                Policy.of("fixed", Algorithm.FIXED_WINDOW, 7, TEN),
                Policy.of("sliding", Algorithm.SLIDING_WINDOW, 7, TEN),
                Policy.of("log", Algorithm.SLIDING_LOG, 7, TEN),
                Policy.of("gcra", Algorithm.GCRA, 7, TEN).withBurst(30),
                Policy.of("borrow", Algorithm.TOKEN_BUCKET, 7, TEN).borrowing(),
                Policy.of("interval", Algorithm.TOKEN_BUCKET, 7, TEN)
                        .withBurst(20)
                        .withRefill(Refill.INTERVAL),
                Policy.of("uniform", Algorithm.UNIFORM, 7, TEN),
                Policy.leakyBucket("leaky", 7, TEN, TEN),
                Policy.of("leases", Algorithm.CONCURRENCY, 7, TEN));
        List<Arguments> all = new ArrayList<>();
        for (Policy policy : policies) {
            for (Store store : Store.values()) {
                all.add(Arguments.of(policy, store));
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aFrozenClockGivesOneQuotaAndNoMore(Policy policy, Store store) {
        Fresh fresh = stores.fresh(store);
        assertThat(drain(fresh, policy)).isEqualTo(policy.capacity());
        assertThat(drain(fresh, policy)).isZero();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aStepBackLocksNoCallerOutForLong(Policy policy, Store store) {
        Fresh fresh = stores.fresh(store);
        drain(fresh, policy);
        spendAsDebtToo(fresh, policy);
        fresh.time().advance(-HOUR);
        // The first caller repairs the state. From then on no caller waits longer than after any
        // other debt.
        CheckResult first = fresh.limiter()
                .acquire(CheckGroup.of(Check.of(policy, ALICE)))
                .results()
                .get(0);
        System.out.printf(
                "%n%s, %s, set back by an hour: locked out for %,d of %,d µs%n",
                policy.name(), store, first.retryAfterMicros(), lockOut(policy));
        assertThat(first.retryAfterMicros()).isLessThanOrEqualTo(lockOut(policy));
        fresh.time().advance(lockOut(policy));
        assertThat(drain(fresh, policy)).isPositive();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aStepForwardGivesWhatItIsWorthAndOneQuota(Policy policy, Store store) {
        Fresh fresh = stores.fresh(store);
        drain(fresh, policy);
        fresh.time().advance(HOUR);
        long worth = HOUR * policy.limit() / policy.windowMicros();
        assertThat(drain(fresh, policy)).isBetween(1L, worth + policy.capacity());
    }

    /**
     * Set back and forth by an hour, ten times within a second: each step forward gives a quota,
     * and no step back does.
     */
    @ParameterizedTest
    @MethodSource("policies")
    void stepsBackAndForthGiveNoMoreThanTheStepsForward(Policy policy, Store store) {
        Fresh fresh = stores.fresh(store);
        long admitted = drain(fresh, policy);
        for (int i = 0; i < 10; i++) {
            fresh.time().advance(-HOUR);
            admitted += drain(fresh, policy);
            fresh.time().advance(HOUR);
            admitted += drain(fresh, policy);
        }
        System.out.printf(
                "%n%s, %s, set back and forth ten times: %d admitted, %d allowed%n",
                policy.name(), store, admitted, 11 * policy.capacity());
        assertThat(admitted).isLessThanOrEqualTo(11 * policy.capacity());
    }

    /** {@code max(2W, (B + debt) · T)}. */
    private static long lockOut(Policy policy) {
        long drained = -Math.floorDiv(-2 * policy.capacity() * policy.windowMicros(), policy.limit());
        return Math.max(2 * policy.windowMicros(), drained);
    }

    private static void spendAsDebtToo(Fresh fresh, Policy policy) {
        if (policy.algorithm() != Algorithm.CONCURRENCY) {
            fresh.limiter().charge(policy, ALICE, 1_000);
        }
    }

    private static long drain(Fresh fresh, Policy policy) {
        long admitted = 0;
        while (fresh.limiter().acquire(CheckGroup.of(Check.of(policy, ALICE))).admitted()) {
            admitted++;
        }
        return admitted;
    }
}
