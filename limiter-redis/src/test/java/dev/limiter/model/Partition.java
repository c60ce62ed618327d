package dev.limiter.model;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;

/**
 * The identity of a state. It never has limit, burst, cost, maxWait, borrow or shadow: those
 * come with each call and may differ.
 */
record Partition(String name, Algorithm algorithm, Refill refill, long windowMicros, PartitionKey key) {

    static Partition of(Policy policy, PartitionKey key) {
        return new Partition(policy.name(), policy.algorithm(), policy.refill(), policy.windowMicros(), key);
    }

    /** The state before the first call. */
    State fresh() {
        return switch (algorithm) {
            case FIXED_WINDOW -> FixedWindow.FRESH;
            case SLIDING_WINDOW -> SlidingWindow.FRESH;
            case SLIDING_LOG -> SlidingLog.FRESH;
            case TOKEN_BUCKET -> refill == Refill.INTERVAL ? Interval.FRESH : Gcra.FRESH;
            case GCRA, UNIFORM -> Gcra.FRESH;
            case LEAKY_BUCKET -> LeakyBucket.FRESH;
            case CONCURRENCY -> Leases.FRESH;
            case GATE -> Gate.FRESH;
        };
    }
}
