package dev.limiter.spi.algorithm;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.spi.Receipt;
import java.util.List;

/**
 * The state of one partition that a store read for a decision, before the charge. The figures
 * for the client follow from it in exact arithmetic; the store's script does not compute them.
 */
public interface StateSnapshot {

    /** {@return whether the policy would admit the request} */
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
    CheckResult answer(Check check, boolean charged);

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
    long chargeable(Policy policy, long units);

    /**
     * The decision that follows from these snapshots. Shadows do not decide, and are charged if
     * they fit and the others admit.
     *
     * @param group the checks, all or nothing
     * @param readings one snapshot for each check
     * @param atMicros the instant of the decision, in µs since 1970
     * @return the decision
     */
    static Decision decide(CheckGroup group, List<StateSnapshot> readings, long atMicros) {
        List<Check> checks = group.checks();
        boolean admitted = true;
        for (int i = 0; i < readings.size(); i++) {
            admitted &= readings.get(i).fits() || checks.get(i).policy().shadow();
        }
        List<CheckResult> results = answers(checks, readings, admitted);
        return admitted
                ? new Decision.Admitted(results, atMicros, new Receipt(checks, readings, atMicros))
                : new Decision.Rejected(results, atMicros);
    }

    private static List<CheckResult> answers(List<Check> checks, List<StateSnapshot> readings, boolean admitted) {
        if (readings.size() == 1) {
            return List.of(readings.get(0)
                    .answer(checks.get(0), admitted && readings.get(0).fits()));
        }
        CheckResult[] results = new CheckResult[readings.size()];
        for (int i = 0; i < results.length; i++) {
            StateSnapshot reading = readings.get(i);
            results[i] = reading.answer(checks.get(i), admitted && reading.fits());
        }
        return List.of(results);
    }

    /**
     * The results that follow from these snapshots without a charge.
     *
     * @param group the checks, all or nothing
     * @param readings one snapshot for each check
     * @return one result for each check
     */
    static List<CheckResult> peeked(CheckGroup group, List<StateSnapshot> readings) {
        CheckResult[] results = new CheckResult[readings.size()];
        for (int i = 0; i < results.length; i++) {
            results[i] = readings.get(i).answer(group.checks().get(i), false);
        }
        return List.of(results);
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
        Policy policy = check.policy();
        long charged = before.chargeable(policy, units);
        CheckResult now = after.answer(check, false);
        return new ChargeResult(
                policy, charged, units - charged, now.remaining(), now.nextAfterMicros(), now.resetAfterMicros());
    }
}
