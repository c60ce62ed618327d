package dev.limiter.redis.internal.limiter;

import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Cached rejections as an application gets them, and the calls that Redis counts meanwhile. */
class RejectionCachingRedisTest {
    private static final Policy ONCE = Policy.of("once", GCRA, 1, Duration.ofHours(1));
    private static final int REQUESTS = 10_000;
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    @AutoClose
    private static final RedisServer redis = RedisServer.start();

    @AutoClose
    private static final RedisClient jedis = RedisClient.create(redis.uri());

    @Test
    void aRejectedKeyCostsNoCommand() {
        try (RateLimiter limiter = limiter(Map.of())) {
            long began = System.nanoTime();
            PartitionKey key = rejected(limiter);
            long before = scripts();
            Decision last = null;
            for (int request = 0; request < REQUESTS; request++) {
                last = limiter.acquire(ONCE, key);
                assertThat(last.admitted()).isFalse();
            }
            // None at all, unless this machine takes longer than rejections are remembered.
            long tens = Duration.ofNanos(System.nanoTime() - began).toSeconds() / 10;
            assertThat(scripts() - before).isLessThanOrEqualTo(tens);
            assertThat(last.fallback()).isFalse();
            limiter.reset(ONCE, key);
            assertThat(limiter.acquire(ONCE, key).admitted()).isTrue();
        }
    }

    @Test
    void withTheCacheOffEachRequestAsks() {
        try (RateLimiter limiter = limiter(Map.of("limiter.cache-rejections", "false"))) {
            PartitionKey key = rejected(limiter);
            long before = scripts();
            for (int request = 0; request < 10; request++) {
                limiter.acquire(ONCE, key);
            }
            assertThat(scripts() - before).isEqualTo(10);
        }
    }

    @Test
    void whatIsNeitherTrueNorFalseFailsTheStart() {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> limiter(Map.of("limiter.cache-rejections", "sometimes")))
                .withMessage("limiter.cache-rejections: must be true or false, was \"sometimes\"");
    }

    private static PartitionKey rejected(RateLimiter limiter) {
        PartitionKey key = PartitionKey.of("test", Long.toString(System.nanoTime()));
        List<Boolean> admitted = List.of(
                limiter.acquire(ONCE, key).admitted(),
                limiter.acquire(ONCE, key).admitted());
        assertThat(admitted).containsExactly(true, false);
        return key;
    }

    private static long scripts() {
        Matcher calls = SCRIPTS.matcher(jedis.info("commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private static RateLimiter limiter(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("limiter.redis.uri", redis.uri());
        return new RedisRateLimiterProvider()
                .create("remembering", name -> Optional.ofNullable(all.get(name)), Signals.NONE)
                .orElseThrow();
    }
}
