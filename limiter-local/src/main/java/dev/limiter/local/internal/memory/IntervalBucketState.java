package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.IntervalBucket;
import dev.limiter.spi.algorithm.StateSnapshot;

/** Missing tokens and the instant of the last refill: {@code lua/algorithm/interval.lua}. */
final class IntervalBucketState implements CountingState {
    private long lastMicros;
    private long fullMicros = Long.MIN_VALUE;
    private long used;
    private IntervalBucket.Snapshot found;

    @Override
    public StateSnapshot read(Check demand, long nowMicros, boolean peek) {
        long last = lastMicros;
        long full = fullMicros;
        if (used > 0 && last > nowMicros) {
            full = full - last + nowMicros;
            last = nowMicros;
            if (!peek) {
                write(last, full, used);
            }
        }
        found = used > 0 && full > nowMicros ? filling(demand, last, full, nowMicros) : full(demand);
        return found;
    }

    private IntervalBucket.Snapshot filling(Check demand, long last, long full, long nowMicros) {
        Policy policy = demand.policy();
        long window = policy.windowMicros();
        long refills = (nowMicros - last) / window;
        // A double, as in the script: a value beyond the range of a long leaves no token
        // missing.
        long missing = (long) Math.max(0, used - (double) refills * policy.limit());
        if (missing == 0) {
            return full(demand);
        }
        boolean fits = missing + IntervalBucket.Snapshot.need(demand) <= policy.burst();
        return new IntervalBucket.Snapshot(fits, missing, last + (refills + 1) * window - nowMicros, full - nowMicros);
    }

    private static IntervalBucket.Snapshot full(Check demand) {
        return new IntervalBucket.Snapshot(
                IntervalBucket.Snapshot.need(demand) <= demand.policy().burst(), 0, 0, 0);
    }

    @Override
    public StateSnapshot found() {
        return found;
    }

    @Override
    public void add(Policy policy, long tokens, long nowMicros) {
        long last = found.phaseMicros(policy, nowMicros);
        long missing = found.used() + tokens;
        write(last, last + IntervalBucket.Snapshot.fullAfterMicros(policy, missing), missing);
    }

    /** A policy that may borrow leaves more tokens missing than the bound of debts. */
    @Override
    public StateSnapshot admit(Check demand, StateSnapshot then, long slotMicros, long nowMicros) {
        Policy policy = demand.policy();
        if (!policy.borrow()) {
            return CountingState.super.admit(demand, then, slotMicros, nowMicros);
        }
        return addBorrowed(policy, demand.cost(), nowMicros);
    }

    @Override
    public StateSnapshot admitShown(Check demand, long shown, CheckResult answer, long nowMicros) {
        Policy policy = demand.policy();
        return policy.borrow()
                ? addBorrowed(policy, demand.cost() - shown, nowMicros)
                : CountingState.super.admitShown(demand, shown, answer, nowMicros);
    }

    private StateSnapshot addBorrowed(Policy policy, long tokens, long nowMicros) {
        StateSnapshot then = found;
        long room = Math.max(0, 2 * (policy.burst() + policy.maxCost()) - found.used());
        long charged = Math.min(room, tokens);
        if (charged > 0) {
            add(policy, charged, nowMicros);
        }
        return charged == tokens ? then : null;
    }

    @Override
    public long refundableForMicros(CheckResult answer) {
        return answer.nextAfterMicros();
    }

    @Override
    public boolean refund(Check demand, StateSnapshot then, long thenMicros, long nowMicros) {
        Policy policy = demand.policy();
        long phase = ((IntervalBucket.Snapshot) then).phaseMicros(policy, thenMicros);
        if (used == 0 || lastMicros != phase || phase > nowMicros || nowMicros - phase >= policy.windowMicros()) {
            return false;
        }
        long missing = Math.max(0, used - demand.cost());
        // After a debt under another limit, possibly only a part of it can be counted.
        double full =
                Math.min(fullMicros, phase + Math.ceil((double) missing / policy.limit()) * policy.windowMicros());
        write(phase, (long) full, missing);
        return true;
    }

    private void write(long last, long full, long missing) {
        lastMicros = last;
        fullMicros = full;
        used = missing;
    }

    @Override
    public long content(Policy policy) {
        return found.used();
    }

    @Override
    public long idleAtMicros() {
        return fullMicros;
    }
}
