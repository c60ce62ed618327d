package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClient;

/**
 * The scripts on a real Redis and the in-process limiter live through the same random histories in virtual time and must give
 * the same answers: bursts at one instant, groups, costs, limits and bursts that change midway, clocks that step.
 */
class SameAnswersTest {
    private static final int STEPS = 10_000;

    /** Short enough that no key expires in real time while virtual time stands. */
    private static final int STEPS_PER_HISTORY = 50;

    private static final long[] WINDOWS = {1_000_003, 10_000_000, 60_000_000, 3_600_000_000L, 31_622_400_000_000L};
    private static RedisServer redis;
    private static RedisClient jedis;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
    }

    @AfterAll
    static void stop() {
        jedis.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void redisAndMemoryAnswerAlike(Algorithm algorithm) {
        for (int history = 0; history < STEPS / STEPS_PER_HISTORY; history++) {
            liveThrough(algorithm, new Random(31L * history + algorithm.ordinal()), "h" + history);
        }
        System.out.printf("%s: %,d steps on Redis and in memory without a difference%n", algorithm, STEPS);
    }

    private static void liveThrough(Algorithm algorithm, Random random, String application) {
        VirtualTime time = new VirtualTime(jedis);
        RateLimiter shared = time.limiter(algorithm + application);
        RateLimiter local = new LocalRateLimiter(time);
        long window = WINDOWS[random.nextInt(WINDOWS.length)];
        long limit = 1 + random.nextInt(12);
        List<Long> spans = List.of(0L);
        for (int step = 0; step < STEPS_PER_HISTORY; step++) {
            if (random.nextInt(10) == 0) {
                limit = 1 + random.nextInt(12);
            }
            time.advance(pause(random, window, limit, spans));
            Group group = group(algorithm, random, window, limit);
            String because = algorithm + application + " step " + step + " " + group;
            Decision expected = local.acquire(group);
            assertThat(shared.acquire(group)).as(because).isEqualTo(expected);
            spans = spans(expected);
        }
        for (String key : jedis.keys("rl:" + algorithm + application + ":*")) {
            assertThat(jedis.pttl(key)).as(key).isPositive();
        }
    }

    /** What the answers speak of: every instant at which something is said to change. */
    private static List<Long> spans(Decision decision) {
        List<Long> spans = new ArrayList<>();
        for (Answer answer : decision.answers()) {
            spans.addAll(List.of(answer.retryAfterMicros(), answer.nextAfterMicros(), answer.resetAfterMicros()));
        }
        return spans;
    }

    /** Nothing, exactly what the last answers said, about a unit, about a window, or a step of the clock in either direction. */
    private static long pause(Random random, long window, long limit, List<Long> spans) {
        return switch (random.nextInt(12)) {
            case 0, 1 -> 0;
            case 2, 3 -> Math.max(0, spans.get(random.nextInt(spans.size())) + random.nextInt(3) - 1);
            case 4, 5, 6 -> window / limit + random.nextInt(3) - 1;
            case 7, 8 -> window + random.nextInt(3) - 1;
            case 9 -> random.nextLong(3 * window);
            case 10 -> -random.nextLong(2 * window);
            default -> (random.nextBoolean() ? 1 : -1) * 3_600_000_000L;
        };
    }

    /** One to three policies, of which the first is of the algorithm under test. */
    private static Group group(Algorithm algorithm, Random random, long window, long limit) {
        List<Demand> demands = new ArrayList<>();
        Algorithm[] all = Algorithm.values();
        for (int i = 0; i <= random.nextInt(3); i++) {
            Algorithm each = i == 0 ? algorithm : all[random.nextInt(all.length)];
            long burst = each.hasBurst() ? random.nextInt(15) : 0;
            Policy policy = each == Algorithm.LEAKY_BUCKET
                    ? Policy.leakyBucket(
                            "p" + i,
                            limit + i,
                            Duration.ofNanos(window * 1_000),
                            Duration.ofMillis(random.nextInt(3000)))
                    : new Policy("p" + i, each, limit + i, Duration.ofNanos(window * 1_000), burst);
            if (i > 0 && each == Algorithm.LEAKY_BUCKET) policy = policy.asShadow();
            PartitionKey key = PartitionKey.of("user", "u" + random.nextInt(2));
            demands.add(new Demand(policy, key, 1 + random.nextLong(policy.maxCost())));
        }
        return new Group(demands);
    }
}
