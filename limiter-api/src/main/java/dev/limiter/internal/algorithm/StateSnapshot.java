package dev.limiter.internal.algorithm;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.internal.store.Receipt;
import java.util.List;

/**
 * The state of one partition that a store read for a decision, before the charge. The figures
 * for the client follow from it in exact arithmetic; the store's script does not compute them.
 */
public interface StateSnapshot {

    /** {@return whether the policy would admit the request, and counts it if the others admit} */
    boolean fits();

    /** {@return whether the lease is held already, so that an admission only renews it} */
    default boolean renews() {
        return false;
    }

    /**
     * {@return the result that follows}
     *
     * @param check the check that was decided
     * @param charged whether the cost was charged
     */
    CheckResult result(Check check, boolean charged);

    /**
     * {@return the units that would pass at once, as in the {@link #result}, of which many callers
     * need nothing else}
     *
     * @param check the check that was decided
     * @param charged whether the cost was charged
     */
    default long remaining(Check check, boolean charged) {
        return result(check, charged).remaining();
    }

    /**
     * {@return the state that an equal check reads at the same instant after this number of
     * charges, each of which fitted; it fits once more}
     *
     * @param check the check that read this state
     * @param times how often; not negative
     */
    StateSnapshot after(Check check, long times);

    /**
     * {@return how many of these units can be charged without asking before the debt reaches
     * {@link AlgorithmRules#maxDebt}}
     *
     * @param policy the limit
     * @param units what is to be charged; at least 1
     */
    default long chargeable(Policy policy, long units) {
        return Math.min(units, Math.max(0, policy.rules().maxDebt() - used()));
    }

    /** {@return the units in use, to which debts are added} A bucket that leaks counts time. */
    default long used() {
        return 0;
    }

    /**
     * The decision that follows from these snapshots. Only policies that
     * {@linkplain Policy#rejects() reject} decide. The others are charged if they fit and all
     * that reject admit.
     *
     * @param group the checks, all or nothing
     * @param snapshots one snapshot for each check
     * @param atMicros the instant of the decision, in µs since 1970
     * @return the decision
     */
    static Decision decide(CheckGroup group, List<StateSnapshot> snapshots, long atMicros) {
        if (snapshots.size() == 1) {
            return decide(group, snapshots.get(0), atMicros);
        }
        List<Check> checks = group.checks();
        boolean admitted = true;
        for (int i = 0; i < snapshots.size(); i++) {
            admitted &= snapshots.get(i).fits() || !checks.get(i).policy().rejects();
        }
        List<CheckResult> results = results(checks, snapshots, admitted);
        return admitted
                ? new Decision.Admitted(results, atMicros, Receipt.ofDecision(checks, snapshots, atMicros))
                : new Decision.Rejected(results, atMicros);
    }

    /**
     * {@return the decision on a group of one check, as nearly all groups are}
     *
     * @param group one check
     * @param snapshot the state that it read
     * @param atMicros the instant of the decision, in µs since 1970
     */
    static Decision decide(CheckGroup group, StateSnapshot snapshot, long atMicros) {
        Check check = group.checks().get(0);
        boolean fits = snapshot.fits();
        List<CheckResult> results = List.of(snapshot.result(check, fits));
        return fits || !check.policy().rejects()
                ? new Decision.Admitted(
                        results, atMicros, Receipt.ofOne(group.checks(), fits ? snapshot : null, atMicros))
                : new Decision.Rejected(results, atMicros);
    }

    private static List<CheckResult> results(List<Check> checks, List<StateSnapshot> snapshots, boolean admitted) {
        CheckResult[] results = new CheckResult[snapshots.size()];
        for (int i = 0; i < results.length; i++) {
            StateSnapshot snapshot = snapshots.get(i);
            results[i] = snapshot.result(checks.get(i), admitted && snapshot.fits());
        }
        return List.of(results);
    }

    /**
     * The results that follow from these snapshots without a charge.
     *
     * @param group the checks, all or nothing
     * @param snapshots one snapshot for each check
     * @return one result for each check
     */
    static List<CheckResult> peeked(CheckGroup group, List<StateSnapshot> snapshots) {
        return results(group.checks(), snapshots, false);
    }

    /**
     * The result of a charge without asking.
     *
     * @param check a check of one unit, which read the state before and after
     * @param units to charge
     * @param before the state before the charge
     * @param after the state after it
     * @return the charge
     */
    static ChargeResult charged(Check check, long units, StateSnapshot before, StateSnapshot after) {
        long charged = before.chargeable(check.policy(), units);
        return ChargeResult.of(charged, units - charged, after.result(check, false));
    }
}
