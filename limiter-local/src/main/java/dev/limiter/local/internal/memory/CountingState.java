package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.StateSnapshot;

/** A partition state that counts whole units, so that a debt is charged as a cost is. */
abstract class CountingState<S extends StateSnapshot> implements PartitionState {

    /** The last result of {@link #read}. */
    S found;

    /** Charges units on top of the last result of {@link #read}. */
    abstract void add(Policy policy, long units, long nowMicros);

    @Override
    public long content(Policy policy) {
        return found.used();
    }

    @Override
    public void charge(Check check, long nowMicros) {
        add(check.policy(), check.cost(), nowMicros);
    }

    @Override
    public StateSnapshot admit(Check check, StateSnapshot then, long slotMicros, long nowMicros) {
        return take(check.policy(), check.cost(), room(check.policy(), check.cost()), nowMicros);
    }

    @Override
    public StateSnapshot admitShown(Check check, long shown, CheckResult result, long nowMicros) {
        long rest = check.cost() - shown;
        return take(check.policy(), rest, room(check.policy(), rest), nowMicros);
    }

    @Override
    public void debt(Policy policy, long units, long nowMicros) {
        take(policy, units, found.chargeable(policy, units), nowMicros);
    }

    /** How many of the units that another limiter has admitted are charged. */
    long room(Policy policy, long units) {
        return found.chargeable(policy, units);
    }

    /** Charges what there is room for; returns the state before it, null if units are left. */
    private StateSnapshot take(Policy policy, long units, long room, long nowMicros) {
        if (room > 0) {
            add(policy, room, nowMicros);
        }
        return room == units ? found : null;
    }
}
