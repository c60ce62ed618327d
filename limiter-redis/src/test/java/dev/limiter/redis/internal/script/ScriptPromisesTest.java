package dev.limiter.redis.internal.script;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.RedisClient;

/** Promises of the scripts that random histories meet too rarely, in virtual time. */
@Tag("store")
class ScriptPromisesTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final long HOUR = 3_600_000_000L;

    @AutoClose
    private final RedisServer redis = RedisServer.start();

    @AutoClose
    private final RedisClient jedis = RedisClient.create(redis.uri());

    private final VirtualTime time = new VirtualTime(jedis);
    private final RateLimiter limiter = time.limiter("promises");
    private final PreparedPolicies policies = new PreparedPolicies(new RedisKeys("promises", ""));

    private DecisionCall asking(Check... checks) {
        return DecisionCall.decide(policies, CheckGroup.of(checks));
    }

    @Test
    void sixteenGroupsOfOneCallOnOneKeyAtLimitFiveAdmitFive() {
        Policy policy = Policy.of("p", GCRA, 5, Duration.ofSeconds(10));
        List<CheckGroup> groups = Collections.nCopies(16, CheckGroup.of(Check.of(policy, ALICE)));
        assertThat(limiter.acquireEach(groups).stream().filter(Decision::admitted))
                .hasSize(5);
    }

    @Test
    void eachGroupOfACallHasKeysOfItsOwn() {
        Policy gate = Policy.of("gate", GCRA, 1, Duration.ofSeconds(1));
        Policy log = Policy.of("log", SLIDING_LOG, 9, Duration.ofSeconds(1));
        time.ask(List.of(
                asking(Check.of(gate, user("a"))),
                asking(Check.of(gate, user("b")), Check.of(log, user("b"))),
                asking(Check.of(gate, user("c")))));
        assertThat(jedis.keys("rl:*")).hasSize(4);
        for (String name : List.of("a", "b", "c")) {
            assertThat(jedis.exists(limiter.storeKey(gate, user(name)))).isTrue();
        }
        assertThat(jedis.exists(limiter.storeKey(log, user("b")))).isTrue();
    }

    private static PartitionKey user(String name) {
        return PartitionKey.of("user", name);
    }

    /** Two versions of a policy that run side by side must not forgive each other's callers. */
    @Test
    void anotherBurstOrLimitOnTheSameKeyRefillsNothing() {
        Policy large = Policy.of("p", GCRA, 10, Duration.ofSeconds(10)).withBurst(1_000);
        for (Policy other : List.of(
                Policy.of("p", GCRA, 10, Duration.ofSeconds(10)).withBurst(1),
                Policy.of("p", GCRA, 1_000, Duration.ofSeconds(10)))) {
            long admitted = 0;
            for (int round = 0; round < 5; round++) {
                while (limiter.acquire(large, ALICE).admitted()) {
                    admitted++;
                }
                limiter.acquire(other, ALICE);
            }
            assertThat(admitted).isLessThanOrEqualTo(1_000);
        }
    }

    @Test
    void aClockThatStepsBackLocksOutNoLongerThanTheBucketLasts() {
        Policy policy = Policy.of("p", GCRA, 5, Duration.ofSeconds(10));
        while (limiter.acquire(policy, ALICE).admitted()) {
            // until it is spent
        }
        time.advance(-HOUR);
        CheckResult result = limiter.acquire(policy, ALICE).results().get(0);
        assertThat(result.retryAfterMicros()).isBetween(1L, 2_000_000L + 4);
        time.advance(result.retryAfterMicros());
        assertThat(limiter.acquire(policy, ALICE).admitted()).isTrue();
        assertThat(jedis.pttl(jedis.keys("rl:*").iterator().next())).isPositive();
    }

    @Test
    void aBacklogOfAYearIsNoSignOfAStep() {
        Policy policy = Policy.of("p", GCRA, 1, Duration.ofDays(366));
        assertThat(limiter.acquire(policy, ALICE).admitted()).isTrue();
        long year = policy.windowMicros();
        for (int day = 0; day < 366; day += 61) {
            assertThat(limiter.acquire(policy, ALICE).results().get(0).retryAfterMicros())
                    .isEqualTo(year - day * 24 * HOUR);
            time.advance(61 * 24 * HOUR);
        }
        assertThat(limiter.acquire(policy, ALICE).admitted()).isTrue();
    }

    @Test
    void aLogThatIsMovedToThePresentKeepsEveryUnitThatWasInside() {
        Policy policy = Policy.of("p", SLIDING_LOG, 2_500, Duration.ofSeconds(10));
        for (long cost : new long[] {1_000, 1_000, 500}) {
            assertThat(limiter.acquire(CheckGroup.of(new Check(policy, ALICE, cost)))
                            .admitted())
                    .isTrue();
        }
        time.advance(-HOUR);
        CheckResult result = limiter.acquire(policy, ALICE).results().get(0);
        assertThat(result).isEqualTo(new CheckResult(policy, false, 0, 10_000_000, 10_000_000, 10_000_000));
        String key = jedis.keys("rl:*").iterator().next();
        assertThat(jedis.llen(key)).isEqualTo(2_500);
        assertThat(jedis.pttl(key)).isPositive();
        time.advance(10_000_000);
        assertThat(limiter.acquire(policy, ALICE).admitted()).isTrue();
    }

    @Test
    void aLogThatIsMovedForgetsWhatHadLeftBefore() {
        Policy policy = Policy.of("p", SLIDING_LOG, 10, Duration.ofSeconds(10));
        limiter.acquire(policy, ALICE);
        time.advance(5_000_000);
        limiter.acquire(CheckGroup.of(new Check(policy, ALICE, 7)));
        time.advance(5_000_001);
        limiter.acquire(policy, ALICE);
        String key = jedis.keys("rl:*").iterator().next();
        assertThat(jedis.llen(key))
                .as("one alone is not worth a command, so the first is still listed")
                .isEqualTo(9);
        time.advance(-HOUR);
        assertThat(limiter.acquire(policy, ALICE).results().get(0).remaining()).isEqualTo(1);
    }

    /**
     * However much has left since the last charge: one search, and the next request finds the
     * head at the window's edge.
     */
    @Test
    void oneChargeRemovesAllThatHasLeftALog() {
        Policy policy = Policy.of("p", SLIDING_LOG, 2_500, Duration.ofSeconds(10));
        limiter.acquire(CheckGroup.of(new Check(policy, ALICE, 1_000)));
        limiter.acquire(CheckGroup.of(new Check(policy, ALICE, 1_000)));
        time.advance(5_000_000);
        limiter.acquire(CheckGroup.of(new Check(policy, ALICE, 3)));
        time.advance(5_000_000);
        assertThat(limiter.acquire(policy, ALICE).results().get(0).remaining()).isEqualTo(2_496);
        assertThat(jedis.llen(jedis.keys("rl:*").iterator().next())).isEqualTo(4);
    }

    /**
     * The first unit of a quarter of a second sets the time to live for all of that quarter, and
     * the next one's sets it again.
     */
    @Test
    void theTimeToLiveOfALogCoversItsYoungestUnit() {
        Policy policy = Policy.of("p", SLIDING_LOG, 1_000, Duration.ofSeconds(100));
        time.advance(250_000 - time.instant().getNano() / 1_000 % 250_000);
        limiter.acquire(policy, ALICE);
        String key = jedis.keys("rl:*").iterator().next();
        jedis.pexpire(key, 50_000);
        time.advance(249_999);
        limiter.acquire(policy, ALICE);
        assertThat(jedis.pttl(key)).as("within one quarter it is set once").isLessThanOrEqualTo(50_000);
        time.advance(1);
        limiter.acquire(policy, ALICE);
        assertThat(jedis.pttl(key)).as("from the next one's first unit").isBetween(95_000L, 101_001L);
    }

    /**
     * Charges that keep the time to live of those before must not outlast it, whenever they
     * come.
     */
    @ParameterizedTest
    @MethodSource("policiesThatKeepTheirTimeToLive")
    void theTimeToLiveCoversWhatIsCounted(Policy policy) {
        SplittableRandom random = new SplittableRandom(policy.name().hashCode());
        String key = limiter.storeKey(policy, ALICE);
        int admitted = 0;
        for (int step = 0; step < 1_000; step++) {
            pass(key, random.nextInt(20) == 0 ? random.nextInt(4_000) : random.nextInt(60));
            Check check = new Check(policy, ALICE, 1 + random.nextInt(3));
            long began = System.nanoTime();
            if (limiter.acquire(CheckGroup.of(check)).admitted()) {
                admitted++;
                long counted = limiter.peek(CheckGroup.of(check)).get(0).resetAfterMicros() / 1_000;
                long left = jedis.pttl(key);
                long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                assertThat(left).as("step " + step).isBetween(counted - passed, counted + 2_500);
            }
        }
        assertThat(admitted).isGreaterThan(100);
    }

    static List<Policy> policiesThatKeepTheirTimeToLive() {
        Duration second = Duration.ofSeconds(1);
        return List.of(
                Policy.of("window", FIXED_WINDOW, 20, second),
                Policy.of("sliding", SLIDING_WINDOW, 20, second),
                Policy.of("log", SLIDING_LOG, 20, second),
                Policy.of("gcra", GCRA, 20, second),
                Policy.of("parts", GCRA, 30, second).withBurst(90),
                Policy.of("interval", TOKEN_BUCKET, 20, second).withBurst(60).withRefill(Refill.INTERVAL));
    }

    /** Time passes for the scripts, and for what Redis knows of the key's expiry. */
    private void pass(String key, long millis) {
        time.advance(millis * 1_000);
        long left = jedis.pttl(key) - millis;
        if (left > 0) {
            jedis.pexpire(key, left);
        } else {
            jedis.del(key);
        }
    }
}
