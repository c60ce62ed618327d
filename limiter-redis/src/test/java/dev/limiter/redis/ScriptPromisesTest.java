package dev.limiter.redis;

import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Answer;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Promises of the scripts that random histories meet too rarely, in virtual time. */
class ScriptPromisesTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final long HOUR = 3_600_000_000L;

    private RedisServer redis;
    private RedisClient jedis;
    private VirtualTime time;
    private RateLimiter limiter;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
        time = new VirtualTime(jedis);
        limiter = time.limiter("promises");
    }

    @AfterEach
    void stop() {
        jedis.close();
        redis.close();
    }

    @Test
    void sixteenGroupsOfOneCallOnOneKeyAtLimitFiveAdmitFive() {
        List<String> keys = Collections.nCopies(16, "one");
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            arguments.addAll(List.of("1", "gcra", "5", "8000000", "0", "2000000", "0"));
        }
        Reply reply = time.decide(keys, arguments);
        assertThat(reply.next()).isEqualTo(time.micros());
        long admitted = 0;
        for (int group = 0; group < 16; group++) {
            admitted += reply.next();
            reply.next();
            reply.next();
        }
        assertThat(admitted).isEqualTo(5);
    }

    @Test
    void eachGroupOfACallHasKeysOfItsOwn() {
        List<String> gate = List.of("1", "gcra", "1", "0", "0", "1000000", "0");
        List<String> pair = List.of("2", "gcra", "1", "0", "0", "1000000", "0", "sliding_log", "1", "9", "1000000");
        List<String> arguments = new ArrayList<>(gate);
        arguments.addAll(pair);
        arguments.addAll(gate);
        time.decide(List.of("a", "b", "c", "d"), arguments);
        assertThat(jedis.keys("?")).containsExactlyInAnyOrder("a", "b", "c", "d");
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
        Answer answer = limiter.acquire(policy, ALICE).answers().get(0);
        assertThat(answer.retryAfterMicros()).isBetween(1L, 2_000_000L + 4);
        time.advance(answer.retryAfterMicros());
        assertThat(limiter.acquire(policy, ALICE).admitted()).isTrue();
        assertThat(jedis.pttl(jedis.keys("rl:*").iterator().next())).isPositive();
    }

    @Test
    void aBacklogOfAYearIsNoSignOfAStep() {
        Policy policy = Policy.of("p", GCRA, 1, Duration.ofDays(366));
        assertThat(limiter.acquire(policy, ALICE).admitted()).isTrue();
        long year = policy.windowMicros();
        for (int day = 0; day < 366; day += 61) {
            assertThat(limiter.acquire(policy, ALICE).answers().get(0).retryAfterMicros())
                    .isEqualTo(year - day * 24 * HOUR);
            time.advance(61 * 24 * HOUR);
        }
        assertThat(limiter.acquire(policy, ALICE).admitted()).isTrue();
    }

    @Test
    void aLogThatIsMovedToThePresentKeepsEveryUnitThatWasInside() {
        Policy policy = Policy.of("p", SLIDING_LOG, 2_500, Duration.ofSeconds(10));
        for (long cost : new long[] {1_000, 1_000, 500}) {
            assertThat(limiter.acquire(Group.of(new Demand(policy, ALICE, cost)))
                            .admitted())
                    .isTrue();
        }
        time.advance(-HOUR);
        Answer answer = limiter.acquire(policy, ALICE).answers().get(0);
        assertThat(answer).isEqualTo(new Answer(policy, false, 0, 10_000_000, 10_000_000, 10_000_000));
        String key = jedis.keys("rl:*").iterator().next();
        assertThat(jedis.llen(key)).isEqualTo(2_500);
        assertThat(jedis.pttl(key)).isPositive();
        time.advance(10_000_000);
        assertThat(limiter.acquire(policy, ALICE).admitted()).isTrue();
    }

    @Test
    void aLogThatIsMovedForgetsWhatHadLeftBefore() {
        Policy policy = Policy.of("p", SLIDING_LOG, 10, Duration.ofSeconds(10));
        limiter.acquire(Group.of(new Demand(policy, ALICE, 8)));
        time.advance(5_000_000);
        limiter.acquire(policy, ALICE);
        time.advance(5_000_001);
        limiter.acquire(policy, ALICE);
        String key = jedis.keys("rl:*").iterator().next();
        assertThat(jedis.llen(key))
                .as("two out for one in, so six of the eight are still listed")
                .isEqualTo(8);
        time.advance(-HOUR);
        assertThat(limiter.acquire(policy, ALICE).answers().get(0).remaining()).isEqualTo(7);
    }
}
