package dev.limiter.redis;

import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.redis.Stores.Fresh;
import dev.limiter.redis.Stores.Store;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.TestSize;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What another limit does to a bucket in use, where contracts and tiers have limits of their
 * own. A raise never makes a caller wait longer, a cut gives no units, and limits that alternate
 * on one key admit no more than the most generous ones.
 */
@Tag("proof")
class ChangedLimitsTest {
    private static final PartitionKey ACME = PartitionKey.of("user", "acme");
    private static final List<Algorithm> BUCKETS = List.of(GCRA, TOKEN_BUCKET);
    private static final int LIVES = TestSize.of(400);

    @AutoClose
    private static final Stores stores = new Stores();

    /** The second rejection has written the state anew: units come back at 400 a day from then. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aRaisedContractThatIsSpentGetsItsNextUnitAfterTheNewTime(Store store) {
        for (Algorithm algorithm : BUCKETS) {
            Fresh fresh = stores.fresh(store);
            assertThat(drain(fresh, plan(algorithm, 250))).isEqualTo(50);
            assertThat(retry(fresh, plan(algorithm, 250))).isEqualTo(345_600_000);
            assertThat(peek(fresh, plan(algorithm, 400)).retryAfterMicros()).isEqualTo(216_000_000);
            assertThat(retry(fresh, plan(algorithm, 400))).isEqualTo(216_000_000);
            fresh.time().advance(215_999_999);
            assertThat(retry(fresh, plan(algorithm, 400))).isOne();
            fresh.time().advance(1);
            assertThat(drain(fresh, plan(algorithm, 400))).isOne();
        }
    }

    /** A peek writes nothing: until a request comes, units come back at the old rate. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aPeekUnderARaisedLimitTellsTheWaitFromARequestOn(Store store) {
        for (boolean asks : new boolean[] {true, false}) {
            Fresh fresh = stores.fresh(store);
            drain(fresh, hourly(1));
            if (asks) {
                assertThat(acquire(fresh, hourly(3)).admitted()).isFalse();
            }
            assertThat(peek(fresh, hourly(3)).retryAfterMicros()).isEqualTo(1_200_000_000);
            fresh.time().advance(1_200_000_000);
            assertThat(retry(fresh, hourly(3))).isEqualTo(asks ? 0 : 800_000_000);
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aCutContractThatIsSpentGetsNoUnit(Store store) {
        for (Algorithm algorithm : BUCKETS) {
            Fresh fresh = stores.fresh(store);
            assertThat(drain(fresh, plan(algorithm, 400))).isEqualTo(50);
            assertThat(drain(fresh, plan(algorithm, 250))).isZero();
            assertThat(retry(fresh, plan(algorithm, 250))).isEqualTo(345_600_000);
        }
    }

    /** So configuration changes a limit that is the same for all partitions. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aFixedLimitThatIsChangedKeepsTheInstantOfItsLastUnit(Store store) {
        Fresh fresh = stores.fresh(store);
        drain(fresh, fixed(250));
        assertThat(retry(fresh, fixed(400))).isEqualTo(6_696_000_000L);
    }

    /** Its state is from before the policy had tiers or contracts, and does not say its limit. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aStateThatDoesNotSayItsLimitKeepsTheInstantUntilTheNextCharge(Store store) {
        Fresh fresh = stores.fresh(store);
        drain(fresh, fixed(250));
        assertThat(retry(fresh, plan(GCRA, 400))).isEqualTo(6_696_000_000L);
        fresh.time().advance(6_696_000_000L);
        assertThat(drain(fresh, plan(GCRA, 400))).isOne();
        assertThat(retry(fresh, plan(GCRA, 250))).isEqualTo(345_600_000);
    }

    /** Two tiers on one key: units that cannot be said under the lower limit are not forgotten. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aLowLimitForgetsNoUnitsOfAHighOne(Store store) {
        Fresh fresh = stores.fresh(store);
        Duration month = Duration.ofDays(30);
        Policy high = Policy.of("plan", GCRA, 1_000_000, month).withVaryingLimit();
        Policy low = Policy.of("plan", GCRA, 100, month).withVaryingLimit();
        fresh.limiter().charge(high, ACME, 1_000_000);
        assertThat(acquire(fresh, low).admitted()).isFalse();
        fresh.limiter().charge(low, ACME, 1);
        assertThat(acquire(fresh, high).admitted()).isFalse();
    }

    /**
     * A unit of the lower limit leaks at the rate of the higher one once a caller has that. It
     * has left after 86.4 s, and does not come back a second time.
     */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aUnitThatHasLeakedAtAHigherLimitIsNotGivenBack(Store store) {
        Fresh fresh = stores.fresh(store);
        Policy low =
                Policy.of("plan", GCRA, 1, Duration.ofDays(1)).withBurst(50).withVaryingLimit();
        Policy high =
                Policy.of("plan", GCRA, 1_000, Duration.ofDays(1)).withBurst(50).withVaryingLimit();
        Decision.Admitted first = (Decision.Admitted) acquire(fresh, low);
        acquire(fresh, high);
        fresh.time().advance(86_400_000);
        assertThat(drain(fresh, high)).isEqualTo(49);
        assertThat(fresh.limiter().refund(first)).isFalse();
        assertThat(drain(fresh, high)).isZero();
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aUnitThatIsGivenBackAfterARaiseIsOneUnit(Store store) {
        Fresh fresh = stores.fresh(store);
        Decision.Admitted first = (Decision.Admitted) acquire(fresh, plan(GCRA, 250));
        drain(fresh, plan(GCRA, 400));
        assertThat(fresh.limiter().refund(first)).isTrue();
        assertThat(drain(fresh, plan(GCRA, 400))).isOne();
    }

    @Test
    void aStateThatSaysItsLimitTakesEightBytesMore() {
        for (Policy policy : List.of(fixed(250), plan(GCRA, 250))) {
            Fresh fresh = stores.fresh(Store.REDIS);
            acquire(fresh, policy);
            String key = stores.jedis().keys("rl:*").iterator().next();
            assertThat(stores.jedis().strlen(key)).isEqualTo(policy.rules().keepsUnits() ? 20 : 12);
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aRaiseNeverMakesACallerWaitLongerAndACutGivesNoUnits(Store store) {
        Dice dice = new Dice(18);
        for (int life = 0; life < LIVES; life++) {
            Fresh fresh = stores.fresh(store);
            Duration window = Duration.ofSeconds(dice.oneOf(1L, 60L, 86_400L));
            Policy lower = policy(dice, window);
            Policy higher = policy(
                    lower.limit() + dice.oneOf(0L, 1L, dice.between(1, 1_000)),
                    lower.burst() + dice.oneOf(0L, dice.between(1, 20)),
                    window);
            Policy before = dice.chance(50) ? lower : higher;
            live(fresh, before, dice);
            CheckResult low = peek(fresh, lower);
            CheckResult high = peek(fresh, higher);
            assertThat(high.retryAfterMicros())
                    .as("%s%n%s%n%s", before, low, high)
                    .isLessThanOrEqualTo(low.retryAfterMicros());
            assertThat(low.remaining()).as("%s%n%s%n%s", before, low, high).isLessThanOrEqualTo(high.remaining());
        }
    }

    /**
     * Any limits and bursts on one key from rest, in any order at any instants. Up to each
     * instant no more is admitted than the largest burst, and what comes back at the largest
     * limit.
     */
    @ParameterizedTest
    @EnumSource(Store.class)
    void alternatingNumbersAdmitNoMoreThanTheMostGenerous(Store store) {
        Dice dice = new Dice(20);
        for (int life = 0; life < LIVES; life++) {
            Fresh fresh = stores.fresh(store);
            Duration window = Duration.ofSeconds(dice.oneOf(1L, 60L, 86_400L));
            List<Policy> tiers = List.of(policy(dice, window), policy(dice, window), policy(dice, window));
            long limit = tiers.stream().mapToLong(Policy::limit).max().orElseThrow();
            long burst = tiers.stream().mapToLong(Policy::burst).max().orElseThrow();
            long began = fresh.time().micros();
            long admitted = 0;
            for (int step = 0; step < 60; step++) {
                Policy tier = dice.oneOf(tiers);
                fresh.time().advance(dice.oneOf(0L, dice.number(0, tier.windowMicros() / tier.limit())));
                admitted += acquire(fresh, tier).admitted() ? 1 : 0;
                long passed = fresh.time().micros() - began;
                assertThat(admitted)
                        .as("within %d µs of %s", passed, tiers)
                        .isLessThanOrEqualTo(
                                burst + passed * limit / tiers.get(0).windowMicros());
            }
        }
    }

    private static Policy plan(Algorithm algorithm, long limit) {
        return Policy.of("plan", algorithm, limit, Duration.ofDays(1))
                .withBurst(50)
                .withVaryingLimit();
    }

    private static Policy hourly(long limit) {
        return Policy.of("plan", GCRA, limit, Duration.ofHours(1)).withBurst(3).withVaryingLimit();
    }

    private static Policy fixed(long limit) {
        return Policy.of("plan", GCRA, limit, Duration.ofDays(1)).withBurst(50);
    }

    private static Policy policy(Dice dice, Duration window) {
        return policy(dice.oneOf(1L, 4L, 10L, dice.between(1, 12)), dice.between(1, 12), window);
    }

    private static Policy policy(long limit, long burst, Duration window) {
        return Policy.of("plan", GCRA, limit, window).withBurst(burst).withVaryingLimit();
    }

    /** Requests, debt, and some time. */
    private static void live(Fresh fresh, Policy policy, Dice dice) {
        for (int step = 0; step < 8; step++) {
            fresh.time().advance(dice.oneOf(0L, dice.number(0, policy.windowMicros() / policy.limit())));
            acquire(fresh, policy);
        }
        if (dice.chance(30)) {
            fresh.limiter().charge(policy, ACME, dice.between(1, 10));
        }
        fresh.time().advance(dice.oneOf(0L, dice.number(0, policy.windowMicros())));
    }

    private static Decision acquire(Fresh fresh, Policy policy) {
        return fresh.limiter().acquire(policy, ACME);
    }

    private static CheckResult peek(Fresh fresh, Policy policy) {
        return fresh.limiter().peek(policy, ACME);
    }

    private static long retry(Fresh fresh, Policy policy) {
        return acquire(fresh, policy).results().get(0).retryAfterMicros();
    }

    private static long drain(Fresh fresh, Policy policy) {
        long admitted = 0;
        while (acquire(fresh, policy).admitted()) {
            admitted++;
        }
        return admitted;
    }
}
