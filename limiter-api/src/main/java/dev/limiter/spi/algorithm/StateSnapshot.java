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
 * What a store saw of one partition when it decided, before anything was charged. From it follows,
 * in exact arithmetic, what the client is told; the store's script reports, it does not explain.
 */
public interface StateSnapshot {

    /** {@return whether the policy would admit the request} */
    boolean fits();

    /** {@return whether what is asked for is held already, so that an admission only renews it} */
    default boolean renews() {
        return false;
    }

    /**
     * {@return the answer that follows}
     *
     * @param demand what was asked
     * @param charged whether the cost was charged
     */
    CheckResult answer(Check demand, boolean charged);

    /**
     * {@return what the same demand reads at the same instant after it was charged so many times,
     * each time because it fitted; and it fits once more}
     *
     * @param demand what was read for
     * @param times how often; not negative
     */
    StateSnapshot after(Check demand, long times);

    /**
     * {@return how many of these units can be charged without asking before the debt reaches
     * {@link AlgorithmRules#maxDebt}}
     *
     * @param policy the limit
     * @param units what is to be charged; at least 1
     */
    long chargeable(Policy policy, long units);

    /**
     * The decision that these readings amount to: shadows have no say, and are charged if they fit
     * and the others admit.
     *
     * @param group what is asked, all or nothing
     * @param readings what was read, one for each demand
     * @param atMicros the instant of the decision, in µs since 1970
     * @return the decision
     */
    static Decision decide(CheckGroup group, List<StateSnapshot> readings, long atMicros) {
        List<Check> demands = group.demands();
        boolean admitted = true;
        for (int i = 0; i < readings.size(); i++) {
            admitted &= readings.get(i).fits() || demands.get(i).policy().shadow();
        }
        List<CheckResult> answers = answers(demands, readings, admitted);
        return admitted
                ? new Decision.Admitted(answers, atMicros, new Receipt(demands, readings, atMicros))
                : new Decision.Rejected(answers, atMicros);
    }

    private static List<CheckResult> answers(List<Check> demands, List<StateSnapshot> readings, boolean admitted) {
        if (readings.size() == 1) {
            return List.of(readings.get(0)
                    .answer(demands.get(0), admitted && readings.get(0).fits()));
        }
        CheckResult[] answers = new CheckResult[readings.size()];
        for (int i = 0; i < answers.length; i++) {
            StateSnapshot reading = readings.get(i);
            answers[i] = reading.answer(demands.get(i), admitted && reading.fits());
        }
        return List.of(answers);
    }

    /**
     * What these readings say without anything being charged.
     *
     * @param group what is asked, all or nothing
     * @param readings what was read, one for each demand
     * @return one answer for each demand
     */
    static List<CheckResult> peeked(CheckGroup group, List<StateSnapshot> readings) {
        CheckResult[] answers = new CheckResult[readings.size()];
        for (int i = 0; i < answers.length; i++) {
            answers[i] = readings.get(i).answer(group.demands().get(i), false);
        }
        return List.of(answers);
    }

    /**
     * What became of units charged without asking.
     *
     * @param demand of one unit, for which was read before and after
     * @param units what was to be charged
     * @param before what was read before the charge
     * @param after what was read after it
     * @return the charge
     */
    static ChargeResult charged(Check demand, long units, StateSnapshot before, StateSnapshot after) {
        Policy policy = demand.policy();
        long charged = before.chargeable(policy, units);
        CheckResult now = after.answer(demand, false);
        return new ChargeResult(
                policy, charged, units - charged, now.remaining(), now.nextAfterMicros(), now.resetAfterMicros());
    }
}
