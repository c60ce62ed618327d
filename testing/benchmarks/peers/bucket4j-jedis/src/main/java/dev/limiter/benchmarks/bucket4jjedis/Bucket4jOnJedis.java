package dev.limiter.benchmarks.bucket4jjedis;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Entry;
import dev.limiter.benchmarks.contest.Quota;
import dev.limiter.benchmarks.contest.Verdict;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.jedis.Bucket4jJedis;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

/**
 * Bucket4j's compare-and-swap on Jedis: read, decide in Java, and write if no other caller was
 * faster. Threads that ask for one bucket at the same time share its calls.
 */
public final class Bucket4jOnJedis implements Entry {
    private static final int CONNECTIONS = 64;

    @Override
    public String name() {
        return "bucket4j (Jedis)";
    }

    @Override
    public String artifact() {
        return "bucket4j_jdk17-jedis";
    }

    @Override
    public Competitor enter(int port, Quota quota, List<String> keys) {
        BucketConfiguration limit = BucketConfiguration.builder()
                .addLimit(bandwidth -> bandwidth.capacity(quota.limit()).refillGreedy(quota.limit(), quota.window()))
                .build();
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxIdle(CONNECTIONS);
        RedisClient jedis = RedisClient.builder()
                .hostAndPort("127.0.0.1", port)
                .poolConfig(pool)
                .build();
        ProxyManager<byte[]> manager = Bucket4jJedis.casBasedBuilder(jedis)
                .expirationAfterWrite(ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(quota.window()))
                .build();
        BucketProxy[] buckets = keys.stream()
                .map(key -> manager.builder()
                        .withOptimization(Optimizations.batching())
                        .build(key.getBytes(StandardCharsets.UTF_8), () -> limit))
                .toArray(BucketProxy[]::new);
        return new Competitor() {
            @Override
            public Verdict ask(int key) {
                return Verdict.of(buckets[key].tryConsume(1));
            }

            @Override
            public void close() {
                jedis.close();
            }
        };
    }
}
