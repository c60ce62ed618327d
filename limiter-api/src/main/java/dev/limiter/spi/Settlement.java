package dev.limiter.spi;

import dev.limiter.Algorithm.Member;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Corrects what an admission charged to what was used: charges the units beyond the estimate,
 * or gives back those that were not used.
 */
public final class Settlement {
    private Settlement() {}

    /**
     * Settles one policy of an admission: see {@link RateLimiter#settle}.
     *
     * @param limiter that made the admission
     * @param admission what was admitted
     * @param policy one of its policies
     * @param used units, from 0 to 2<sup>31</sup> − 1
     * @return what was charged beyond the estimate, and what is left
     * @throws IllegalArgumentException as {@link RateLimiter#settle} says
     */
    public static ChargeResult settle(RateLimiter limiter, Decision.Admitted admission, Policy policy, long used) {
        return settle(limiter, List.of(admission), policy, used);
    }

    /**
     * Settles the sum of several admissions of one policy. Units that were not used are given
     * back from the last admission on.
     *
     * <p>All charges become final before the store is asked. So if the store fails, no later
     * refund gives back what was used.
     *
     * <p>Of what was given back or settled before, nothing counts as estimated. If that holds
     * for all admissions, the settlement does nothing.
     *
     * @param limiter that made the admissions
     * @param admissions what was admitted, in this order; one or more
     * @param policy one of the policies of each, with the numbers that are in force now
     * @param used units in all, from 0 to 2<sup>31</sup> − 1
     * @return what was charged beyond the estimates, and what is left
     * @throws IllegalArgumentException as {@link RateLimiter#settle} says
     */
    public static ChargeResult settle(
            RateLimiter limiter, List<Decision.Admitted> admissions, Policy policy, long used) {
        ChargeResult corrected = correct(limiter, admissions, policy, used);
        return corrected != null ? corrected : stateOf(limiter, admissions, policy);
    }

    /**
     * Settles as {@link #settle(RateLimiter, List, Policy, long)} does, without a call of the
     * store if the estimates were exact.
     *
     * @param limiter that made the admissions
     * @param admissions what was admitted, in this order; one or more
     * @param policy one of the policies of each
     * @param used units in all, from 0 to 2<sup>31</sup> − 1
     * @return what was charged beyond the estimates, and what is left; null if all admissions
     *     were settled here, at their sum
     * @throws IllegalArgumentException as {@link RateLimiter#settle} says
     */
    public static ChargeResult correct(
            RateLimiter limiter, List<Decision.Admitted> admissions, Policy policy, long used) {
        requireSettleable(policy, used);
        admissions.forEach(admission -> requireOneKey(admission, policy));
        List<Receipt> unused = new ArrayList<>(admissions.size());
        boolean allSettledHere = true;
        Check settled = null;
        long estimated = 0;
        for (Decision.Admitted admission : admissions) {
            Check check = charged(admission, policy);
            Receipt beyond = admission.receipt().settle(policy.name(), Math.max(0, used - estimated));
            if (beyond != null) {
                settled = check;
                estimated += check.cost();
                unused.add(0, beyond);
            } else {
                allSettledHere &= check == null;
            }
        }
        if (settled != null && used > estimated) {
            return limiter.charge(inForce(policy, settled.policy()), settled.key(), used - estimated);
        }
        if (settled != null && used < estimated) {
            giveBack(limiter, new Decision.Admitted(List.of(), admissions.get(0).atMicros(), joined(unused)));
            return stateOf(limiter, admissions, policy);
        }
        return settled != null && allSettledHere ? null : stateOf(limiter, admissions, policy);
    }

    /** The numbers that the caller has, if they are of the state that was charged. */
    private static Policy inForce(Policy policy, Policy charged) {
        boolean same = policy.algorithm() == charged.algorithm()
                && policy.refill() == charged.refill()
                && policy.windowMicros() == charged.windowMicros()
                && Objects.equals(policy.period(), charged.period());
        return same ? policy : charged;
    }

    /** What is left of the partition that the admissions charged. */
    private static ChargeResult stateOf(RateLimiter limiter, List<Decision.Admitted> admissions, Policy policy) {
        for (int i = admissions.size() - 1; i >= 0; i--) {
            Check check = charged(admissions.get(i), policy);
            if (check != null) {
                return ChargeResult.ofNothing(limiter.peek(check.policy(), check.key()));
            }
        }
        return ofNothing(admissions.get(0), policy); // a shadow that did not fit
    }

    /** What an admission charged to a policy; null if a shadow did not fit. */
    private static Check charged(Decision.Admitted admission, Policy policy) {
        for (Check check : admission.receipt().checks()) {
            if (check.policy().name().equals(policy.name())) {
                return check;
            }
        }
        return null;
    }

    private static Receipt joined(List<Receipt> parts) {
        return parts.size() == 1 ? parts.get(0) : Receipt.joined(parts);
    }

    /** Units that the store cannot be told of stay charged, as those of a killed process do. */
    private static void giveBack(RateLimiter limiter, Decision.Admitted unused) {
        try {
            limiter.refund(unused);
        } catch (StoreUnavailableException unreachable) {
            // The peek that follows throws too if the policy is CLOSED.
        }
    }

    private static ChargeResult ofNothing(Decision.Admitted admission, Policy policy) {
        for (CheckResult result : admission.results()) {
            if (result.policy().name().equals(policy.name())) {
                return ChargeResult.ofNothing(result);
            }
        }
        throw new IllegalArgumentException("policy \"" + policy.name() + "\" is not one of this admission");
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

    private static void requireOneKey(Decision.Admitted admission, Policy policy) {
        long keys = admission.receipt().checks().stream()
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
