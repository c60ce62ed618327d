package dev.limiter;

import java.util.ArrayList;
import java.util.List;

/**
 * The demands of one decision: all are admitted, or nothing is charged. Those of {@link Policy#shadow() shadow} policies have
 * no say: the others decide, and if they admit, each shadow that would admit is charged too.
 *
 * @param demands at least one; no two of them on the same partition of the same policy, for each is decided as if it were
 *     the only one there; at most one on a {@code LEAKY_BUCKET} that is no shadow, for a request can wait for one slot only
 * @param refundable whether a caller, in any process, may give back what these partitions were charged. Their rejections
 *     are never remembered, so that what comes back can be taken at once: see {@link RateLimiter#refund}
 */
public record CheckGroup(List<Check> demands, boolean refundable) {

    /**
     * Refuses what cannot be one decision.
     *
     * @param demands as in the record
     * @param refundable as in the record
     * @throws IllegalArgumentException if there is no demand, if two ask the same partition of the same policy, or if two
     *     are on leaky buckets
     */
    public CheckGroup {
        demands = List.copyOf(demands);
        if (demands.isEmpty()) {
            throw new IllegalArgumentException("a group needs at least one demand");
        }
        int slots = 0;
        for (Check demand : demands) {
            slots += isHeld(demand.policy()) ? 1 : 0;
        }
        if (slots > 1) {
            throw new IllegalArgumentException("a group can wait for one LEAKY_BUCKET, not for " + slots);
        }
        for (int i = 1; i < demands.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (demands.get(i).samePartition(demands.get(j))) {
                    throw new IllegalArgumentException("policy \""
                            + demands.get(i).policy().name()
                            + "\" is asked twice for one key in one group; add the costs");
                }
            }
        }
    }

    /**
     * A group of demands that no caller gives back.
     *
     * @param demands at least one, no two of them on one partition of one policy
     */
    public CheckGroup(List<Check> demands) {
        this(demands, false);
    }

    /**
     * {@return a group of demands that no caller gives back}
     *
     * @param demands at least one, no two of them on one partition of one policy
     */
    public static CheckGroup of(Check... demands) {
        return new CheckGroup(List.of(demands));
    }

    /**
     * {@return the same group, always asked of the store, since what its partitions were charged may come back before its time: because a
     * program {@linkplain RateLimiter#refund refunds} it, or because in a cluster its policies are also asked in groups
     * over several keys, whose parts are given back when one rejects}
     */
    public CheckGroup asRefundable() {
        return refundable ? this : new CheckGroup(demands, true);
    }

    /**
     * {@return the same group, which is admitted only where the {@linkplain Policy#gate gates} of all its policies are open, too: their
     * demands come behind those of the policies, in the same order}
     */
    public CheckGroup withGates() {
        List<Check> gated = new ArrayList<>(demands);
        for (Check demand : demands) {
            gated.add(Check.of(demand.policy().gate(), demand.key()));
        }
        return new CheckGroup(gated, refundable);
    }

    /**
     * {@return the same group, in which a {@code LEAKY_BUCKET} gives no slot that is later than this}
     *
     * @param micros from now, in µs; from 0
     */
    public CheckGroup heldAtMost(long micros) {
        List<Check> shorter = new ArrayList<>(demands);
        shorter.replaceAll(demand -> isHeld(demand.policy()) ? demand.heldAtMost(micros) : demand);
        return new CheckGroup(shorter, refundable);
    }

    private static boolean isHeld(Policy policy) {
        return policy.algorithm() == Algorithm.LEAKY_BUCKET && !policy.shadow();
    }
}
