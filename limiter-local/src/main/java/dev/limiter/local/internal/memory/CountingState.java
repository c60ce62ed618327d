package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.StateSnapshot;

/** A partition state that counts whole units, so that a debt is charged as a cost is. */
interface CountingState extends PartitionState {

    /** The last result of {@link #read}. */
    StateSnapshot found();

    /** Charges units on top of the last result of {@link #read}. */
    void add(Policy policy, long units, long nowMicros);

    @Override
    default void charge(Check demand, long nowMicros) {
        add(demand.policy(), demand.cost(), nowMicros);
    }

    @Override
    default StateSnapshot admit(Check demand, StateSnapshot found, long slotMicros, long nowMicros) {
        boolean whole = found.chargeable(demand.policy(), demand.cost()) == demand.cost();
        if (whole) {
            charge(demand, nowMicros);
        } else {
            debt(demand.policy(), demand.cost(), nowMicros);
        }
        return whole ? found : null;
    }

    @Override
    default StateSnapshot admitShown(Check demand, long shown, CheckResult answer, long nowMicros) {
        StateSnapshot found = found();
        long rest = demand.cost() - shown;
        boolean whole = rest == 0 || found.chargeable(demand.policy(), rest) == rest;
        if (rest > 0) {
            debt(demand.policy(), rest, nowMicros);
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
