package dev.limiter;

import java.util.UUID;

/**
 * What one request asks of one policy: {@code cost} units for the partition {@code key}.
 *
 * @param policy the limit that is asked
 * @param key the partition that is counted
 * @param cost units that this request takes; from 1 to {@link Policy#maxCost()}
 * @param lease for {@code CONCURRENCY} the name of the lease, 1 to {@value #MAX_LEASE_LENGTH}
 *     characters of printable ASCII; asking again for a lease that is held renews it; empty for
 *     all others
 * @param maxWaitMicros for {@code LEAKY_BUCKET} the longest that this request may be held, from 0
 *     to the policy's {@code maxWait}; 0 for all others
 */
public record Check(Policy policy, PartitionKey key, long cost, String lease, long maxWaitMicros) {

    /** The longest name of a lease, in characters. */
    public static final int MAX_LEASE_LENGTH = 100;

    /**
     * Refuses a check that could never pass.
     *
     * @param policy as in the record
     * @param key as in the record
     * @param cost as in the record
     * @param lease as in the record
     * @param maxWaitMicros as in the record
     * @throws IllegalArgumentException if the cost is out of range, since one above the policy's
     *     capacity could never pass; or if there is a lease or a wait where the policy has none
     */
    public Check {
        if (policy == null || key == null) {
            throw new IllegalArgumentException("a check needs a policy and a key");
        }
        if (cost < 1 || cost > policy.maxCost()) {
            throw new IllegalArgumentException("cost on policy \"" + policy.name() + "\" must be from 1 to "
                    + policy.maxCost() + " units, was " + cost);
        }
        if (policy.rules().leases()) {
            requireLease(lease);
        } else if (lease == null || !lease.isEmpty()) {
            throw new IllegalArgumentException("only CONCURRENCY has leases, policy \"" + policy.name() + "\" is "
                    + policy.algorithm() + "; leave out \"" + lease + "\"");
        }
        if (maxWaitMicros < 0 || maxWaitMicros > policy.maxWaitMicros()) {
            throw new IllegalArgumentException("maxWait on policy \"" + policy.name() + "\" must be from 0 to "
                    + policy.maxWaitMicros() + " µs, was " + maxWaitMicros);
        }
    }

    /**
     * Makes a check of some units; on {@code CONCURRENCY} it asks for a new lease.
     *
     * @param policy the limit
     * @param key the partition
     * @param cost units that are asked for
     */
    public Check(Policy policy, PartitionKey key, long cost) {
        this(policy, key, cost, policy.rules().leases() ? UUID.randomUUID().toString() : "", policy.maxWaitMicros());
    }

    /**
     * {@return a check of one unit; on {@code CONCURRENCY} it asks for a new lease}
     *
     * @param policy the limit
     * @param key the partition
     */
    public static Check of(Policy policy, PartitionKey key) {
        return new Check(policy, key, 1);
    }

    /**
     * {@return a check of one lease with a name that you choose, such as the id of a job that may
     * be started again}
     *
     * @param policy the limit
     * @param key the partition
     * @param lease 1 to {@value #MAX_LEASE_LENGTH} characters of printable ASCII
     */
    public static Check ofLease(Policy policy, PartitionKey key, String lease) {
        return new Check(policy, key, 1, lease, 0);
    }

    /**
     * {@return where the windows of this partition begin, in µs after a multiple of their length
     * since 1970; 0 for periods of the calendar}
     */
    public long phaseMicros() {
        return policy.aligned() || policy.period() != null ? 0 : key.stableHash() % policy.windowMicros();
    }

    /** This check, held at most for this time; the policy's own {@code maxWait} still holds. */
    Check heldAtMost(long micros) {
        return new Check(policy, key, cost, lease, Math.min(micros, maxWaitMicros));
    }

    boolean samePartition(Check other) {
        return policy.name().equals(other.policy.name()) && key.equals(other.key);
    }

    private static void requireLease(String lease) {
        boolean printable = lease != null && lease.chars().allMatch(c -> c > ' ' && c <= '~');
        if (!printable || lease.isEmpty() || lease.length() > MAX_LEASE_LENGTH) {
            throw new IllegalArgumentException("a lease must be 1 to " + MAX_LEASE_LENGTH
                    + " characters of printable ASCII without blanks, was \"" + lease + "\"");
        }
    }
}
