package dev.limiter.redis.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What an admitted check allocates, of a caller that shares its round trip with no other. So few
 * checks are made that the compiler has not removed an object yet: each object counts, in every
 * run. Warm, a check allocates half of it: see {@code docs/benchmarks.md}.
 */
class AllocatedBytesTest {
    private static final int CHECKS = 200;

    /** Measured: 1,640 bytes, with the mirror of {@code LOCAL}. */
    private static final long MOST_BYTES = 1_800;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Policy policy = Policy.of("gcra", Algorithm.GCRA, 10_000_000, Duration.ofSeconds(1));
    private final PartitionKey key = PartitionKey.of("user", "alice");

    @Test
    void anAdmittedCheckAllocatesLittle() {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = new RedisRateLimiterProvider()
                        .create(
                                "shop",
                                name -> name.equals("limiter.redis.uri") ? Optional.of(redis.uri()) : Optional.empty(),
                                Signals.NONE)
                        .orElseThrow()) {
            ask(limiter); // opens the connection, loads the classes and the script
            long before = allocated();
            ask(limiter);
            assertThat((allocated() - before) / CHECKS).isLessThan(MOST_BYTES);
        }
    }

    private long allocated() {
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private void ask(RateLimiter limiter) {
        for (int i = 0; i < CHECKS; i++) {
            if (!limiter.acquire(policy, key).admitted()) {
                throw new AssertionError("the limit is never reached");
            }
        }
    }
}
