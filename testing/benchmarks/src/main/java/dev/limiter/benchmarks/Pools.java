package dev.limiter.benchmarks;

import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/** Plain Jedis clients with a pool. */
final class Pools {
    private static final int PATIENCE_MILLIS = 10_000;

    /** As many as the platform threads that ask. With 8, threads wait, and each peer is slower. */
    static final int CONNECTIONS = 64;

    private Pools() {}

    /**
     * A pool with the defaults of Jedis, except for its size and its patience with waiting callers.
     */
    static RedisClient of(RedisServer redis) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxIdle(CONNECTIONS);
        pool.setMaxWait(Duration.ofMillis(PATIENCE_MILLIS));
        pool.setJmxEnabled(false);
        return RedisClient.builder()
                .hostAndPort("127.0.0.1", redis.port())
                .clientConfig(DefaultJedisClientConfig.builder()
                        .socketTimeoutMillis(PATIENCE_MILLIS)
                        .build())
                .poolConfig(pool)
                .build();
    }
}
