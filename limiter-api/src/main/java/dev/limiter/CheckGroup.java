package dev.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The checks of one decision: either all are admitted, or nothing is charged. Policies that do not
 * {@linkplain Policy#rejects() reject} have no say: if the others admit, each of them that fits is
 * charged too.
 *
 * @param checks at least one; no two of them on the same partition of the same policy, because
 *     each is decided as if it were alone; at most one on a {@code LEAKY_BUCKET} that is no
 *     shadow, because a request can wait for a single slot only
 * @param refundable whether a caller, in any process, may give back what these partitions were
 *     charged. Rejections are then never cached, so that a refund takes effect at once: see
 *     {@link RateLimiter#refund}
 */
public record CheckGroup(List<Check> checks, boolean refundable) {

    /**
     * Refuses checks that cannot be one decision.
     *
     * @param checks as in the record
     * @param refundable as in the record
     * @throws IllegalArgumentException if there is no check, if two checks ask the same partition
     *     of the same policy, or if two are on leaky buckets
     */
    public CheckGroup {
        checks = List.copyOf(checks);
        if (checks.isEmpty()) {
            throw new IllegalArgumentException("a group needs at least one check");
        }
        int slots = 0;
        for (Check check : checks) {
            slots += isHeld(check.policy()) ? 1 : 0;
        }
        if (slots > 1) {
            throw new IllegalArgumentException("a group can wait for one LEAKY_BUCKET, not for " + slots);
        }
        for (int i = 1; i < checks.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (checks.get(i).samePartition(checks.get(j))) {
                    throw new IllegalArgumentException("policy \""
                            + checks.get(i).policy().name()
                            + "\" is asked twice for one key in one group; add the costs");
                }
            }
        }
    }

    /**
     * Makes a group whose charges no caller gives back.
     *
     * @param checks at least one, no two of them on one partition of one policy
     */
    public CheckGroup(List<Check> checks) {
        this(checks, false);
    }

    /**
     * {@return a group whose charges no caller gives back}
     *
     * @param checks at least one, no two of them on one partition of one policy
     */
    public static CheckGroup of(Check... checks) {
        return new CheckGroup(List.of(checks));
    }

    /**
     * {@return the same group, whose rejections are never cached, because charges of its
     * partitions may come back before their time} That is so if a caller may
     * {@linkplain RateLimiter#refund refund} them. In a cluster it is also so if other groups ask
     * the same policies over several keys, since these give parts back when one rejects.
     */
    public CheckGroup asRefundable() {
        return refundable ? this : new CheckGroup(checks, true);
    }

    /**
     * {@return a group with each check replaced}
     *
     * @param other makes the check that takes the place of another
     */
    public CheckGroup mapped(UnaryOperator<Check> other) {
        return new CheckGroup(checks.stream().map(other).toList(), refundable);
    }

    /**
     * {@return the same group, admitted only if the {@linkplain Policy#gate gates} of all its
     * policies are open} The checks of the gates follow those of the policies, in the same order.
     */
    public CheckGroup withGates() {
        List<Check> gated = new ArrayList<>(checks);
        for (Check check : checks) {
            gated.add(Check.of(check.policy().gate(), check.key()));
        }
        return new CheckGroup(gated, refundable);
    }

    /**
     * {@return the same group, in which a {@code LEAKY_BUCKET} gives no slot later than this}
     *
     * @param micros from now, in µs; from 0
     */
    public CheckGroup heldAtMost(long micros) {
        return mapped(check -> isHeld(check.policy()) ? check.heldAtMost(micros) : check);
    }

    private static boolean isHeld(Policy policy) {
        return policy.rules().delays() && policy.rejects();
    }
}
