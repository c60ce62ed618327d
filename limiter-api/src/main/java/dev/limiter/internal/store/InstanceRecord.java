package dev.limiter.internal.store;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;

/**
 * What this process has recorded of partitions for a store that fails. Extensions get it from
 * {@link dev.limiter.RateLimiter#unwrap}; a limiter that records nothing has none.
 */
public interface InstanceRecord {
    /** Forgets a partition. Its state in the store stays. */
    void forget(Policy policy, PartitionKey key);
}
