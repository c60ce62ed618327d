package dev.limiter.redis.internal.limiter;

import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimiter;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.redis.internal.identity.ChangingCredentials;
import dev.limiter.redis.internal.identity.StoreFile;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.ClientConfig;
import dev.limiter.redis.internal.topology.JedisVersion;
import dev.limiter.redis.internal.topology.ProcessClock;
import dev.limiter.redis.internal.topology.RedisUri;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.CredentialsSource;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

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
    private static final Setting<String> KEY_STORE = Setting.text("limiter.redis.key-store");
    private static final Setting<String> KEY_STORE_PASSWORD = Setting.text("limiter.redis.key-store-password");
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
                KEY_STORE,
                KEY_STORE_PASSWORD,
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
        URI.ifSet(settings).ifPresent(uri -> {
            trustStore(uri, settings);
            keyStore(uri, settings);
        });
    }

    @Override
    public Optional<RateLimiter> create(String application, Settings settings, Signals signals) {
        return URI.ifSet(settings).map(uri -> connect(application, uri, settings, signals));
    }

    private static RateLimiter connect(String application, RedisUri uri, Settings settings, Signals signals) {
        RedisKeys keys = new RedisKeys(application, KEY_SECRET.in(settings));
        Optional<StoreFile> trusted = trustStore(uri, settings);
        Optional<StoreFile> own = keyStore(uri, settings);
        int roundTrips = ROUND_TRIPS.in(settings);
        Timeouts timeouts = Timeouts.within(DEADLINE.in(settings));
        RejectionCache rejections = new RejectionCache();
        boolean caches = CACHES_REJECTIONS.in(settings);
        Optional<CredentialsSource> source = credentials(uri, settings);
        OnStoreFailure onStoreFailure = ON_STORE_FAILURE.in(settings);
        int expectedInstances = EXPECTED_INSTANCES.in(settings);
        RateLimiter store = RedisStore.limiter(
                uri,
                ClientConfig.of(
                        uri, timeouts, trusted, own, source.map(each -> ChangingCredentials.started(each, signals))),
                roundTrips,
                timeouts,
                new ProcessClock(System::nanoTime, Watchdog.beatNanos(timeouts)),
                signals,
                new PreparedPolicies(keys),
                rejections::clear);
        RateLimiter limiter = new FallbackRateLimiter(store, onStoreFailure, expectedInstances, signals);
        return new BlockingAcquire(
                caches ? new RejectionCachingRateLimiter(limiter, rejections, System::nanoTime) : limiter);
    }

    private static Optional<StoreFile> trustStore(RedisUri uri, Settings settings) {
        return file(uri, TRUST_STORE, TRUST_STORE_PASSWORD, false, settings);
    }

    private static Optional<StoreFile> keyStore(RedisUri uri, Settings settings) {
        return file(uri, KEY_STORE, KEY_STORE_PASSWORD, true, settings);
    }

    private static Optional<StoreFile> file(
            RedisUri uri, Setting<String> path, Setting<String> password, boolean holdsKey, Settings settings) {
        if (!uri.tls() && path.ifSet(settings).isPresent()) {
            throw new InvalidSettingException(
                    path.name(),
                    "is for TLS, and " + URI.name() + " asks for none; begin the address with \"rediss\","
                            + " or remove this");
        }
        try {
            return path.ifSet(settings).map(file -> new StoreFile(file, password.in(settings), holdsKey));
        } catch (InvalidSettingException unset) {
            throw unset;
        } catch (IllegalArgumentException unreadable) {
            throw new InvalidSettingException(path.name(), unreadable.getMessage());
        }
    }

    /** The source of the application, else the only service; empty if the URI has what there is. */
    private static Optional<CredentialsSource> credentials(RedisUri uri, Settings settings) {
        Optional<CredentialsSource> source = settings.credentials().or(RedisRateLimiterProvider::service);
        if (source.isPresent() && (uri.user() != null || uri.password() != null)) {
            throw new InvalidSettingException(
                    URI.name(),
                    "has a user or a password, which " + source.get().getClass().getName()
                            + " also provides; remove one of the two");
        }
        return source;
    }

    private static Optional<CredentialsSource> service() {
        List<CredentialsSource> services =
                ServiceLoader.load(CredentialsSource.class, RedisRateLimiterProvider.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        if (services.size() > 1) {
            throw new InvalidSettingException(
                    URI.name(),
                    "there are several services of type " + CredentialsSource.class.getName() + ": "
                            + services.stream()
                                    .map(each -> each.getClass().getName())
                                    .collect(Collectors.joining(", "))
                            + "; keep one");
        }
        return services.stream().findFirst();
    }
}
