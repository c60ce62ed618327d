package dev.limiter.benchmarks;

import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import java.util.Map;
import java.util.Optional;

/** The limiter, made as an application makes it. */
final class Limiters {
    private static final String APPLICATION = "shop";

    private Limiters() {}

    /** With the defaults of every setting. */
    static RateLimiter of(RedisServer redis) {
        return of(redis, Map.of());
    }

    static RateLimiter of(RedisServer redis, Map<String, String> settings) {
        return of(redis.uri(), settings);
    }

    static RateLimiter of(String uri, Map<String, String> settings) {
        return new RedisRateLimiterProvider()
                .create(
                        APPLICATION,
                        name -> name.equals("limiter.redis.uri")
                                ? Optional.of(uri)
                                : Optional.ofNullable(settings.get(name)),
                        Signals.NONE)
                .orElseThrow();
    }
}
