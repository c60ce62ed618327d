package dev.limiter.benchmarks.redisson;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Entry;
import dev.limiter.benchmarks.contest.Quota;
import dev.limiter.benchmarks.contest.Verdict;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RRateLimiter}, one script call a check. */
public final class RedissonLimiter implements Entry {

    @Override
    public String name() {
        return "Redisson";
    }

    @Override
    public String artifact() {
        return "redisson";
    }

    @Override
    public Competitor enter(int port, Quota quota, List<String> keys) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
        RedissonClient redisson = Redisson.create(config);
        RRateLimiter[] limiters =
                keys.stream().map(key -> limiter(redisson, key, quota)).toArray(RRateLimiter[]::new);
        return new Competitor() {
            @Override
            public Verdict ask(int key) {
                return Verdict.of(limiters[key].tryAcquire());
            }

            @Override
            public void close() {
                redisson.shutdown();
            }
        };
    }

    private static RRateLimiter limiter(RedissonClient redisson, String key, Quota quota) {
        RRateLimiter limiter = redisson.getRateLimiter(key);
        limiter.trySetRate(RateType.OVERALL, quota.limit(), quota.window());
        return limiter;
    }
}
