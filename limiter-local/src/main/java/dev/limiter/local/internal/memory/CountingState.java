package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.StateSnapshot;

/** A partition state that counts whole units, so that a debt is charged as a cost is. */
interface CountingState extends PartitionState {

    /** The last result of {@link #read}. */
    StateSnapshot found();

    /** Charges units on top of the last result of {@link #read}. */
    void add(Policy policy, long units, long nowMicros);

    @Override
    default void charge(Check check, long nowMicros) {
        add(check.policy(), check.cost(), nowMicros);
    }

    @Override
    default StateSnapshot admit(Check check, StateSnapshot found, long slotMicros, long nowMicros) {
        boolean whole = found.chargeable(check.policy(), check.cost()) == check.cost();
        if (whole) {
            charge(check, nowMicros);
        } else {
            debt(check.policy(), check.cost(), nowMicros);
        }
        return whole ? found : null;
    }

    @Override
    default StateSnapshot admitShown(Check check, long shown, CheckResult result, long nowMicros) {
        StateSnapshot found = found();
        long rest = check.cost() - shown;
        boolean whole = rest == 0 || found.chargeable(check.policy(), rest) == rest;
        if (rest > 0) {
            debt(check.policy(), rest, nowMicros);
        }
        return whole ? found : null;
    }

    @Override
    default void debt(Policy policy, long units, long nowMicros) {
        long charged = found().chargeable(policy, units);
        if (charged > 0) {
            add(policy, charged, nowMicros);
        }
    }
}
