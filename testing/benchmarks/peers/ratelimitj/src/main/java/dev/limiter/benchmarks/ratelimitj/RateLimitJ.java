package dev.limiter.benchmarks.ratelimitj;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Entry;
import dev.limiter.benchmarks.contest.Quota;
import dev.limiter.benchmarks.contest.Verdict;
import es.moki.ratelimitj.core.limiter.request.RequestLimitRule;
import es.moki.ratelimitj.core.limiter.request.RequestRateLimiter;
import es.moki.ratelimitj.redis.request.RedisRateLimiterFactory;
import io.lettuce.core.RedisClient;
import java.util.List;
import java.util.Set;

/** RateLimitJ's window of buckets, one script call a check. */
public final class RateLimitJ implements Entry {

    @Override
    public String name() {
        return "RateLimitJ";
    }

    @Override
    public String artifact() {
        return "ratelimitj-redis";
    }

    @Override
    public Competitor enter(int port, Quota quota, List<String> keys) {
        RedisClient lettuce = RedisClient.create("redis://127.0.0.1:" + port);
        RedisRateLimiterFactory factory = new RedisRateLimiterFactory(lettuce);
        RequestRateLimiter limiter = factory.getInstance(Set.of(RequestLimitRule.of(quota.window(), quota.limit())));
        String[] texts = keys.toArray(String[]::new);
        return new Competitor() {
            @Override
            public Verdict ask(int key) {
                return Verdict.of(!limiter.overLimitWhenIncremented(texts[key]));
            }

            @Override
            public void close() {
                factory.close();
                lettuce.shutdown();
            }
        };
    }
}
