package dev.limiter;

/**
 * What one request asks of one policy: {@code cost} units on the partition {@code key}.
 *
 * @param policy the limit that is asked
 * @param key the partition that is counted
 * @param cost units this request takes; from 1 to {@link Policy#maxCost()}
 */
public record Demand(Policy policy, PartitionKey key, long cost) {

    /**
     * @throws IllegalArgumentException if the cost is out of range: a cost above the policy's capacity could never pass
     */
    public Demand {
        if (policy == null || key == null) {
            throw new IllegalArgumentException("a demand needs a policy and a key");
        }
        if (cost < 1 || cost > policy.maxCost()) {
            throw new IllegalArgumentException("cost on policy \"" + policy.name() + "\" must be from 1 to "
                    + policy.maxCost() + " units, was " + cost);
        }
    }

    /** A demand of one unit. */
    public static Demand of(Policy policy, PartitionKey key) {
        return new Demand(policy, key, 1);
    }

    boolean samePartition(Demand other) {
        return policy.name().equals(other.policy.name()) && key.equals(other.key);
    }
}
