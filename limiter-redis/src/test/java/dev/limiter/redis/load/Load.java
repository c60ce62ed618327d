package dev.limiter.redis.load;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import java.time.Duration;
import java.util.List;

/** The requests of a load: each algorithm in turn, on a few keys that all threads share. */
final class Load {
    static final int THREADS = 32;
    static final int KEYS = 8;

    /**
     * After a rejection. Without it the log holds millions of rejections that the limiter
     * remembered.
     */
    static final long PAUSE_NANOS = 100_000;

    /**
     * More is asked than is admitted: a hundred times a second for each key, against twenty, and
     * beside other load at least more than twenty.
     */
    static final List<Policy> POLICIES = List.of(
            Policy.of("fixed-window", Algorithm.FIXED_WINDOW, 5, Duration.ofMillis(250)),
            Policy.of("sliding-window", Algorithm.SLIDING_WINDOW, 5, Duration.ofMillis(250)),
            Policy.of("sliding-log", Algorithm.SLIDING_LOG, 5, Duration.ofMillis(250)),
            Policy.of("token-bucket", Algorithm.TOKEN_BUCKET, 5, Duration.ofMillis(250))
                    .withBurst(10),
            Policy.of("token-bucket-interval", Algorithm.TOKEN_BUCKET, 5, Duration.ofMillis(250))
                    .withBurst(8)
                    .withRefill(Refill.INTERVAL),
            Policy.of("gcra", Algorithm.GCRA, 19, Duration.ofSeconds(1)).withBurst(7),
            Policy.of("uniform", Algorithm.UNIFORM, 20, Duration.ofSeconds(1)),
            Policy.leakyBucket("leaky-bucket", 20, Duration.ofSeconds(1), Duration.ofMillis(150)),
            // Leases are never given back, so that the log of requests is complete. Each lasts
            // 100 ms.
            Policy.of("concurrency", Algorithm.CONCURRENCY, 2, Duration.ofMillis(100)));

    private Load() {}

    static PartitionKey key(int number) {
        return PartitionKey.of("key", Integer.toString(number));
    }

    static CheckGroup group(Policy policy, int key) {
        return CheckGroup.of(Check.of(policy, key(key)));
    }

    /** A request as the log of a process has it. */
    record Attempt(int key, long atMicros, boolean admitted, long runAfterMicros) implements Comparable<Attempt> {
        static Attempt of(int key, Decision decision) {
            return new Attempt(
                    key,
                    decision.atMicros(),
                    decision.admitted(),
                    decision.results().get(0).runAfterMicros());
        }

        /** Requests of one instant are equal, so their order does not matter. */
        @Override
        public int compareTo(Attempt other) {
            return Long.compare(atMicros, other.atMicros);
        }
    }
}
