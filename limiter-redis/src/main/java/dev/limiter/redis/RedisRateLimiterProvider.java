package dev.limiter.redis;

import dev.limiter.RateLimiter;
import dev.limiter.local.FallbackRateLimiter;
import dev.limiter.redis.internal.limiter.RedisStore;
import dev.limiter.redis.internal.limiter.RejectionCachingRateLimiter;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.ClientConfig;
import dev.limiter.redis.internal.topology.JedisVersion;
import dev.limiter.redis.internal.topology.RedisUri;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import redis.clients.jedis.JedisClientConfig;

/**
 * Serves settings that name a Redis: {@code limiter.redis.uri}, {@code .deadline},
 * {@code .pool.max}, {@code .trust-store} and {@code .trust-store-password},
 * {@code limiter.on-store-failure}, {@code limiter.expected-instances},
 * {@code limiter.cache-rejections} and {@code limiter.key-secret}.
 */
public final class RedisRateLimiterProvider implements RateLimiterProvider {
    /** For {@link java.util.ServiceLoader}. */
    public RedisRateLimiterProvider() {}

    @Override
    public void check(Settings settings) {
        Timeouts timeouts = timeouts(settings);
        atOnce(settings);
        remembers(settings);
        FallbackRateLimiter.check(settings);
        uri(settings).ifPresent(uri -> ClientConfig.of(uri, timeouts, settings));
    }

    @Override
    public Optional<RateLimiter> create(String application, Settings settings, Signals signals) {
        return uri(settings).map(uri -> connect(application, uri, settings, signals));
    }

    private static Optional<RedisUri> uri(Settings settings) {
        return settings.value("limiter.redis.uri").map(text -> {
            JedisVersion.check(); // first: no class that needs Jedis is loaded before
            return RedisUri.parse(text);
        });
    }

    private static RateLimiter connect(String application, RedisUri uri, Settings settings, Signals signals) {
        Timeouts timeouts = timeouts(settings);
        int atOnce = atOnce(settings);
        RedisKeys keys =
                new RedisKeys(application, settings.value("limiter.key-secret").orElse(""));
        JedisClientConfig client = ClientConfig.of(uri, timeouts, settings);
        Function<Signals, RateLimiter> store =
                told -> new RedisStore(uri, client, atOnce, timeouts, System::nanoTime, told)
                        .limiter(new PreparedPolicies(keys));
        boolean remembers = remembers(settings);
        return FallbackRateLimiter.configured(
                () -> remembers
                        ? new RejectionCachingRateLimiter(store, signals, System::nanoTime)
                        : store.apply(signals),
                settings,
                signals);
    }

    private static Timeouts timeouts(Settings settings) {
        return Timeouts.within(settings.duration(
                "limiter.redis.deadline", Duration.ofMillis(150), Timeouts.MIN_DEADLINE, Timeouts.MAX_DEADLINE));
    }

    private static int atOnce(Settings settings) {
        return settings.integer("limiter.redis.max-round-trips", 2, 1, 10_000);
    }

    private static boolean remembers(Settings settings) {
        return settings.flag("limiter.cache-rejections", true);
    }
}
