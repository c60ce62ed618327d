package dev.limiter.redis;

import dev.limiter.RateLimiter;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.util.JedisURIHelper;

/** Serves settings that name a Redis: {@code limiter.redis.uri}, {@code .deadline}, {@code .pool.max}, and {@code limiter.key-secret}. */
public final class RedisRateLimiterProvider implements RateLimiterProvider {
    private static final System.Logger LOG = System.getLogger(RedisRateLimiterProvider.class.getName());
    private static final String URI_SETTING = "limiter.redis.uri";
    private static final int DEFAULT_PORT = 6379;
    private static final int MAX_PORT = 65_535;

    /** For {@link java.util.ServiceLoader}. */
    public RedisRateLimiterProvider() {}

    @Override
    public Optional<RateLimiter> create(String application, Settings settings, Signals signals) {
        return settings.value(URI_SETTING).map(text -> connect(application, redisUri(text), settings));
    }

    private static RateLimiter connect(String application, URI uri, Settings settings) {
        Timeouts timeouts = Timeouts.within(settings.duration(
                "limiter.redis.deadline", Duration.ofMillis(150), Timeouts.MIN_DEADLINE, Timeouts.MAX_DEADLINE));
        int connections = settings.integer("limiter.redis.pool.max", 8, 1, 10_000);
        HostAndPort address = address(uri);
        RedisClient jedis = RedisClient.builder()
                .hostAndPort(address)
                .clientConfig(client(uri, timeouts))
                .poolConfig(pool(connections, timeouts))
                .build();
        warnIfSilent(jedis, address);
        RedisKeys keys =
                new RedisKeys(application, settings.value("limiter.key-secret").orElse(""));
        return new RedisRateLimiter(
                jedis,
                new ScriptRunner(jedis, Script.decisions(), timeouts, System::nanoTime),
                new ScriptRunner(jedis, Script.settlements(), timeouts, System::nanoTime),
                new PreparedPolicies(keys),
                address.toString());
    }

    static JedisClientConfig client(URI uri, Timeouts timeouts) {
        DefaultJedisClientConfig.Builder client = DefaultJedisClientConfig.builder()
                .user(JedisURIHelper.getUser(uri))
                .password(JedisURIHelper.getPassword(uri))
                .database(JedisURIHelper.getDBIndex(uri))
                .connectionTimeoutMillis(timeouts.connectMillis())
                .socketTimeoutMillis(timeouts.readMillis());
        return JedisURIHelper.isRedisSSLScheme(uri)
                ? client.sslOptions(SslOptions.defaults()).build()
                : client.build();
    }

    static ConnectionPoolConfig pool(int connections, Timeouts timeouts) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxIdle(connections);
        pool.setMaxWait(Duration.ofMillis(timeouts.poolWaitMillis()));
        // First come, first served: otherwise threads that just gave a connection back take it again, and others
        // starve.
        pool.setFairness(true);
        // A bean registered with the platform's server would outlive a redeployed application.
        pool.setJmxEnabled(false);
        return pool;
    }

    private static URI redisUri(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException unreadable) {
            throw notARedisUri();
        }
        boolean redis = JedisURIHelper.isRedisScheme(uri) || JedisURIHelper.isRedisSSLScheme(uri);
        boolean port = uri.getPort() == -1 || uri.getPort() > 0 && uri.getPort() <= MAX_PORT;
        boolean user = uri.getUserInfo() == null || uri.getUserInfo().contains(":");
        boolean database = uri.getPath() == null || uri.getPath().matches("|/|/\\d{1,9}");
        if (!redis || uri.getHost() == null || !port || !user || !database) {
            throw notARedisUri();
        }
        return uri;
    }

    private static HostAndPort address(URI uri) {
        return new HostAndPort(uri.getHost(), uri.getPort() == -1 ? DEFAULT_PORT : uri.getPort());
    }

    /** Does not repeat the value, which may hold a password. */
    private static InvalidSettingException notARedisUri() {
        return new InvalidSettingException(
                URI_SETTING,
                "is not the address of one Redis; write redis://host:port or rediss://user:password@host:port/db");
    }

    /** A Redis that is late must not keep an application from starting; one that is absent should not be found out by users. */
    private static void warnIfSilent(RedisClient jedis, HostAndPort address) {
        try {
            jedis.ping();
        } catch (RuntimeException silent) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Redis at {0} does not answer; limited requests are answered 503 until it does: {1}",
                    address,
                    silent.getMessage());
        }
    }
}
