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
        boolean whole = then.chargeable(check.policy(), check.cost()) == check.cost();
        if (whole) {
            charge(check, nowMicros);
        } else {
            debt(check.policy(), check.cost(), nowMicros);
        }
        return whole ? then : null;
    }

    @Override
    public StateSnapshot admitShown(Check check, long shown, CheckResult result, long nowMicros) {
        long rest = check.cost() - shown;
        boolean whole = rest == 0 || found.chargeable(check.policy(), rest) == rest;
        if (rest > 0) {
            debt(check.policy(), rest, nowMicros);
        }
        return whole ? found : null;
    }

    @Override
    public void debt(Policy policy, long units, long nowMicros) {
        long charged = found.chargeable(policy, units);
        if (charged > 0) {
            add(policy, charged, nowMicros);
        }
    }
}
