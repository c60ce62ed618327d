package dev.limiter.redis.internal.limiter;

import dev.limiter.RateLimiter;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.ClientConfig;
import dev.limiter.redis.internal.topology.JedisVersion;
import dev.limiter.redis.internal.topology.RedisUri;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.JedisClientConfig;

/** Serves settings that name a Redis. */
public final class RedisRateLimiterProvider implements RateLimiterProvider {
    private static final Setting<RedisUri> URI = Setting.of("limiter.redis.uri", "", text -> {
        JedisVersion.check(); // first: no class that needs Jedis is loaded before
        return RedisUri.parse(text);
    });
    private static final Setting<Duration> DEADLINE = Setting.duration("limiter.redis.deadline", "150ms", "3ms", "1m");
    private static final Setting<Integer> ROUND_TRIPS = Setting.integer("limiter.redis.max-round-trips", 2, 1, 10_000);
    private static final Setting<String> TRUST_STORE = Setting.text("limiter.redis.trust-store");
    private static final Setting<String> TRUST_STORE_PASSWORD = Setting.text("limiter.redis.trust-store-password");
    private static final Setting<String> KEY_SECRET = Setting.text("limiter.key-secret");
    private static final Setting<Boolean> CACHES_REJECTIONS = Setting.flag("limiter.cache-rejections", true);

    /** For {@link java.util.ServiceLoader}. */
    public RedisRateLimiterProvider() {}

    @Override
    public List<Setting<?>> settings() {
        return List.of(
                URI,
                DEADLINE,
                ROUND_TRIPS,
                TRUST_STORE,
                TRUST_STORE_PASSWORD,
                KEY_SECRET,
                CACHES_REJECTIONS,
                ON_STORE_FAILURE,
                EXPECTED_INSTANCES);
    }

    @Override
    public boolean isNamed(Settings settings) {
        return settings.value(URI.name()).isPresent();
    }

    @Override
    public void check(Settings settings) {
        RateLimiterProvider.super.check(settings);
        URI.ifSet(settings).ifPresent(uri -> client(uri, settings));
    }

    @Override
    public Optional<RateLimiter> create(String application, Settings settings, Signals signals) {
        return URI.ifSet(settings).map(uri -> connect(application, uri, settings, signals));
    }

    private static RateLimiter connect(String application, RedisUri uri, Settings settings, Signals signals) {
        RedisKeys keys = new RedisKeys(application, KEY_SECRET.in(settings));
        JedisClientConfig client = client(uri, settings);
        int roundTrips = ROUND_TRIPS.in(settings);
        Timeouts timeouts = Timeouts.within(DEADLINE.in(settings));
        boolean caches = CACHES_REJECTIONS.in(settings);
        return FallbackRateLimiter.configured(
                () -> RedisStore.limiter(
                        uri,
                        client,
                        roundTrips,
                        timeouts,
                        System::nanoTime,
                        signals,
                        new PreparedPolicies(keys),
                        caches),
                settings,
                signals);
    }

    private static JedisClientConfig client(RedisUri uri, Settings settings) {
        Timeouts timeouts = Timeouts.within(DEADLINE.in(settings));
        String trustStore = TRUST_STORE.in(settings);
        String password = TRUST_STORE_PASSWORD.in(settings);
        try {
            return ClientConfig.of(uri, timeouts, trustStore, password);
        } catch (IllegalArgumentException unreadable) {
            throw new InvalidSettingException(TRUST_STORE.name(), unreadable.getMessage());
        }
    }
}
