package dev.limiter.benchmarks.bucket4jlettuce;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Entry;
import dev.limiter.benchmarks.contest.Quota;
import dev.limiter.benchmarks.contest.Verdict;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Bucket4j's compare-and-swap on Lettuce: read, decide in Java, and write if no other caller was
 * faster. Threads that ask for one bucket at the same time share its calls.
 */
public final class Bucket4jOnLettuce implements Entry {

    @Override
    public String name() {
        return "bucket4j (Lettuce)";
    }

    @Override
    public String artifact() {
        return "bucket4j_jdk17-lettuce";
    }

    @Override
    public Competitor enter(int port, Quota quota, List<String> keys) {
        BucketConfiguration limit = BucketConfiguration.builder()
                .addLimit(bandwidth -> bandwidth.capacity(quota.limit()).refillGreedy(quota.limit(), quota.window()))
                .build();
        RedisClient lettuce = RedisClient.create("redis://127.0.0.1:" + port);
        ProxyManager<byte[]> manager = Bucket4jLettuce.casBasedBuilder(lettuce)
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
                lettuce.shutdown();
            }
        };
    }
}
