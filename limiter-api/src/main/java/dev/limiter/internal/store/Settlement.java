package dev.limiter.internal.store;

import dev.limiter.Algorithm.Member;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Admissions of one policy, corrected to what was used. Making it makes their charges final;
 * it says what the store has still to be told: to charge the units {@link #beyond} the
 * estimates, or to give back those that were not used.
 *
 * @param policy to charge, and by which what is left is told: that of the caller, or that of the
 *     last charge if the caller's has another state
 * @param key that was charged; null if {@code uncharged} is present
 * @param beyond units to charge; 0 if no more were used than estimated
 * @param unused the receipt to give back; it has no items if all estimated units were used, and is
 *     null if {@code uncharged} is present
 * @param isExact whether all admissions were settled here, at their sum and under the same limit,
 *     so that the store has nothing to do
 * @param uncharged the result of a shadow that did not fit: the admissions charged nothing to it
 */
public record Settlement(
        Policy policy,
        PartitionKey key,
        long beyond,
        Receipt unused,
        boolean isExact,
        Optional<CheckResult> uncharged) {

    /**
     * Settles the sum of several admissions. Units that were not used are given back from the
     * last admission on.
     *
     * <p>All charges become final here, before the store is asked. So if the store fails, no
     * later refund gives back what was used.
     *
     * <p>Of what was given back or settled before, nothing counts as estimated. If that holds
     * for all admissions, the store has nothing to do.
     *
     * @param admissions what was admitted, in this order; one or more
     * @param policy one of the policies of each, with the limit that is in force now
     * @param used units in all, from 0 to 2<sup>31</sup> − 1
     * @return what the store has to be told
     * @throws IllegalArgumentException as {@link dev.limiter.RateLimiter#settle} says
     */
    public static Settlement of(List<Decision.Admitted> admissions, Policy policy, long used) {
        requireSettleable(policy, used);
        requireOneKey(admissions, policy);
        List<Receipt> unused = new ArrayList<>(admissions.size());
        boolean allSettledHere = true;
        Check charged = null;
        long estimated = 0;
        for (Decision.Admitted admission : admissions) {
            Check check = charged(admission, policy);
            Receipt beyond = admission.receipt().settle(policy.name(), Math.max(0, used - estimated));
            if (beyond != null) {
                estimated += check.cost();
                unused.add(0, beyond);
            } else {
                allSettledHere &= check == null;
            }
            charged = check == null ? charged : check;
        }
        if (charged == null) { // a shadow that did not fit
            return new Settlement(policy, null, 0, null, false, Optional.of(result(admissions.get(0), policy)));
        }
        long beyond = unused.isEmpty() ? 0 : Math.max(0, used - estimated);
        Policy inForce = inForce(policy, charged.policy());
        boolean isExact = !unused.isEmpty() && allSettledHere && used == estimated && inForce.equals(charged.policy());
        return new Settlement(inForce, charged.key(), beyond, Receipt.joined(unused), isExact, Optional.empty());
    }

    /** The policy that the caller has, if it is of the state that was charged. */
    private static Policy inForce(Policy policy, Policy charged) {
        boolean same = policy.algorithm() == charged.algorithm()
                && policy.refill() == charged.refill()
                && policy.windowMicros() == charged.windowMicros()
                && Objects.equals(policy.period(), charged.period());
        return same ? policy : charged;
    }

    /** What an admission charged to a policy; null if a shadow did not fit. */
    private static Check charged(Decision.Admitted admission, Policy policy) {
        return admission.receipt().checks().stream()
                .filter(check -> check.policy().name().equals(policy.name()))
                .findFirst()
                .orElse(null);
    }

    private static CheckResult result(Decision.Admitted admission, Policy policy) {
        return admission.results().stream()
                .filter(result -> result.policy().name().equals(policy.name()))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("policy \"" + policy.name() + "\" is not part of this admission"));
    }

    /**
     * Checks whether a policy can be charged an estimate, and the units that were used.
     *
     * @param policy the limit
     * @param used units
     * @throws IllegalArgumentException if units are not from 0 to 2<sup>31</sup> − 1, or no unit
     *     of the policy can be given back
     */
    public static void requireSettleable(Policy policy, long used) {
        ChargeResult.requireChargeable(policy, used);
        if (!policy.algorithm().accepts(Member.COUNT_ON)) {
            throw new IllegalArgumentException(policy.algorithm() + " of policy \"" + policy.name()
                    + "\" cannot be settled; use a window, a log or a bucket that does not queue");
        }
    }

    private static void requireOneKey(List<Decision.Admitted> admissions, Policy policy) {
        long keys = admissions.stream()
                .flatMap(admission -> admission.receipt().checks().stream())
                .filter(check -> check.policy().name().equals(policy.name()))
                .map(Check::key)
                .distinct()
                .count();
        if (keys > 1) {
            throw new IllegalArgumentException("policy \"" + policy.name() + "\" was charged for " + keys
                    + " keys; ask each key in a group of its own, and settle each admission");
        }
    }
}
