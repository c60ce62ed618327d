package dev.limiter.benchmarks;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The bytes of a key, and of a unit of a full log, by the growth of {@code used_memory}, tables
 * of keys and expiries included.
 */
final class Memory {
    private static final long[] LOG_LIMITS = {1_000, 100_000};
    private static final int KEYS = 100_000;
    private static final int UNITS = 100_000;
    private static final Duration LONG = Duration.ofHours(1);
    /** A long deadline, so that logs become full on a busy machine, too. */
    private static final Map<String, String> PATIENT = Map.of("limiter.redis.deadline", "10s");

    private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");

    private final Mode mode;
    private final Output output;

    Memory(Mode mode, Output output) {
        this.mode = mode;
        this.output = output;
    }

    void run() {
        int scale = mode == Mode.WHOLE ? 1 : 100;
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.of(redis, PATIENT)) {
            Policy fixed = Policy.of("fixed", Algorithm.FIXED_WINDOW, 100, LONG);
            Policy gcra = Policy.of("gcra", Algorithm.GCRA, 100, LONG);
            measure(redis, limiter, Who.FIXED, fixed, KEYS / scale, 1);
            measure(redis, limiter, Who.GCRA, gcra, KEYS / scale, 1);
            for (long limit : LOG_LIMITS) {
                Policy log = Policy.of("log-" + limit, Algorithm.SLIDING_LOG, limit, LONG);
                measure(redis, limiter, Who.log(limit), log, (int) (UNITS / limit), limit / scale);
            }
        }
    }

    private void measure(RedisServer redis, RateLimiter limiter, String name, Policy policy, int keys, long units) {
        redis.command("FLUSHALL", "SYNC");
        limiter.acquire(policy, Ours.key(policy, "the first, so that the script and its connection are there"));
        long before = used(redis);
        IntStream.range(0, keys).parallel().forEach(key -> fill(limiter, policy, "user-" + key, units));
        output.sample(Sample.of(Series.MEMORY, name, Metric.BYTES, (used(redis) - before) / ((double) keys * units)));
    }

    private static void fill(RateLimiter limiter, Policy policy, String key, long units) {
        for (long unit = 0; unit < units; unit++) {
            if (!limiter.acquire(policy, Ours.key(policy, key)).admitted()) {
                throw new IllegalStateException(policy.name() + " rejected unit " + unit + " of " + units);
            }
        }
    }

    private static long used(RedisServer redis) {
        Matcher matcher = USED.matcher((String) redis.command("INFO", "memory"));
        if (!matcher.find()) {
            throw new IllegalStateException("INFO memory without used_memory");
        }
        return Long.parseLong(matcher.group(1));
    }
}
