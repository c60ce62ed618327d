package dev.limiter.redis;

import static dev.limiter.Algorithm.SLIDING_LOG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.property.Dice;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClient;

/** What the recipes of reserved shares promise, over random traffic, in Redis and in memory. */
class ReservedSharesTest {
    private static final PartitionKey TENANT = PartitionKey.of("tenant", "zoo");
    private static final int ROUNDS = 40;

    @AutoClose
    private final RedisServer redis = RedisServer.start();

    @AutoClose
    private final RedisClient jedis = RedisClient.create(redis.uri());

    private final VirtualTime time = new VirtualTime(jedis);
    private final List<RateLimiter> limiters = List.of(time.shipped("shares"), new LocalRateLimiter(time));

    /**
     * Tiers on one key: batch may use 80 of 100. It takes 80 at most, interactive callers always
     * find 20, and both together take 100 at most. Batch is promised nothing.
     */
    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"FIXED_WINDOW", "SLIDING_LOG"})
    void batchLeavesTheRestToInteractiveCallers(Algorithm algorithm) {
        Policy interactive = Policy.of("jobs", algorithm, 100, Duration.ofMinutes(1));
        Policy batch = Policy.of("jobs", algorithm, 80, Duration.ofMinutes(1));
        Dice dice = new Dice(17);
        for (int round = 0; round < ROUNDS; round++) {
            int batchPercent = dice.oneOf(0, 50, 90, 99, 100);
            int asked = (int) dice.between(50, 400);
            for (RateLimiter limiter : limiters) {
                limiter.reset(interactive, TENANT);
                int[] admitted = new int[2];
                int[] tried = new int[2];
                Dice same = new Dice(round);
                for (int i = 0; i < asked; i++) {
                    int who = same.chance(batchPercent) ? 1 : 0;
                    tried[who]++;
                    admitted[who] += limiter.acquire(who == 1 ? batch : interactive, TENANT)
                                    .admitted()
                            ? 1
                            : 0;
                }
                assertThat(admitted[0] + admitted[1]).isLessThanOrEqualTo(100);
                assertThat(admitted[1]).isLessThanOrEqualTo(80);
                assertThat(admitted[0]).isGreaterThanOrEqualTo(Math.min(tried[0], 20));
            }
        }
    }

    /** The bound of the recipe: interactive callers can leave batch nothing. */
    @Test
    void tiersPromiseBatchNothing() {
        Policy interactive = Policy.of("jobs", SLIDING_LOG, 100, Duration.ofMinutes(1));
        Policy batch = Policy.of("jobs", SLIDING_LOG, 80, Duration.ofMinutes(1));
        for (RateLimiter limiter : limiters) {
            for (int i = 0; i < 80; i++) {
                assertThat(limiter.acquire(interactive, TENANT).admitted()).isTrue();
            }
            assertThat(limiter.acquire(batch, TENANT).admitted()).isFalse();
        }
    }

    /**
     * A share for each team and a pool for all: a request takes of its share first, then of the
     * pool. Each team gets its share whatever the others do, and all together take no more than
     * shares and pool have. A lone team gets its share and the pool, not the shares of others.
     */
    @Test
    void eachTeamGetsItsShareAndAllTogetherNoMoreThanTheWhole() {
        CalendarPeriod day = CalendarPeriod.parse("1 day");
        int teams = 3;
        Policy share = Policy.of("share", 20, day);
        Policy pool = Policy.of("pool", 40, day);
        Dice dice = new Dice(18);
        for (int round = 0; round < ROUNDS; round++) {
            time.advance(Duration.ofDays(1).toMillis() * 1_000);
            int[] weights = IntStream.range(0, teams)
                    .map(team -> dice.oneOf(0, 1, 1, 10, 100))
                    .toArray();
            int asked = (int) dice.between(1, 300);
            for (RateLimiter limiter : limiters) {
                int[] tried = new int[teams];
                int[] admitted = new int[teams];
                Dice same = new Dice(round);
                for (int i = 0; i < asked; i++) {
                    int team = team(weights, same);
                    tried[team]++;
                    admitted[team] += passes(limiter, share, pool, team) ? 1 : 0;
                }
                assertThat(IntStream.of(admitted).sum()).isLessThanOrEqualTo(teams * 20 + 40);
                for (int team = 0; team < teams; team++) {
                    assertThat(admitted[team])
                            .isGreaterThanOrEqualTo(Math.min(tried[team], 20))
                            .isLessThanOrEqualTo(60);
                }
                int poolUsed = IntStream.of(admitted)
                        .map(each -> Math.max(0, each - 20))
                        .sum();
                int wanted =
                        IntStream.of(tried).map(each -> Math.max(0, each - 20)).sum();
                assertThat(poolUsed).as("the pool is not left unused").isEqualTo(Math.min(40, wanted));
            }
        }
    }

    private static boolean passes(RateLimiter limiter, Policy share, Policy pool, int team) {
        return limiter.acquire(share, PartitionKey.of("team", "team " + team)).admitted()
                || limiter.acquire(pool, TENANT).admitted();
    }

    private static int team(int[] weights, Dice dice) {
        int sum = Math.max(1, IntStream.of(weights).sum());
        long drawn = dice.between(0, sum - 1);
        for (int team = 0; team < weights.length; team++) {
            drawn -= weights[team];
            if (drawn < 0) {
                return team;
            }
        }
        return 0;
    }
}
