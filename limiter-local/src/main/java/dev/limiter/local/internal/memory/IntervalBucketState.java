package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.IntervalBucket;
import dev.limiter.internal.algorithm.StateSnapshot;

/** Missing tokens and the instant of the last refill: {@code lua/algorithm/interval.lua}. */
final class IntervalBucketState extends CountingState<IntervalBucket.Snapshot> {
    private long lastMicros;
    private long fullMicros = Long.MIN_VALUE;
    private long used;

    @Override
    public StateSnapshot read(Check check, long nowMicros, boolean peek) {
        long last = lastMicros;
        long full = fullMicros;
        if (used > 0 && last > nowMicros) {
            full = full - last + nowMicros;
            last = nowMicros;
            if (!peek) {
                write(last, full, used);
            }
        }
        found = used > 0 && full > nowMicros ? filling(check, last, full, nowMicros) : full(check);
        return found;
    }

    private IntervalBucket.Snapshot filling(Check check, long last, long full, long nowMicros) {
        Policy policy = check.policy();
        long window = policy.windowMicros();
        long refills = (nowMicros - last) / window;
        // A double, as in the script: a value beyond the range of a long leaves no token
        // missing.
        long missing = (long) Math.max(0, used - (double) refills * policy.limit());
        if (missing == 0) {
            return full(check);
        }
        boolean fits = missing + IntervalBucket.Snapshot.need(check) <= policy.burst();
        return new IntervalBucket.Snapshot(fits, missing, last + (refills + 1) * window - nowMicros, full - nowMicros);
    }

    private static IntervalBucket.Snapshot full(Check check) {
        return new IntervalBucket.Snapshot(
                IntervalBucket.Snapshot.need(check) <= check.policy().burst(), 0, 0, 0);
    }

    @Override
    void add(Policy policy, long tokens, long nowMicros) {
        long last = found.phaseMicros(policy, nowMicros);
        long missing = found.used() + tokens;
        write(last, last + IntervalBucket.Snapshot.fullAfterMicros(policy, missing), missing);
    }

    /** A policy that may borrow leaves more tokens missing than the bound of debts. */
    @Override
    public StateSnapshot admit(Check check, StateSnapshot then, long slotMicros, long nowMicros) {
        Policy policy = check.policy();
        if (!policy.borrow()) {
            return super.admit(check, then, slotMicros, nowMicros);
        }
        return addBorrowed(policy, check.cost(), nowMicros);
    }

    @Override
    public StateSnapshot admitShown(Check check, long shown, CheckResult result, long nowMicros) {
        Policy policy = check.policy();
        return policy.borrow()
                ? addBorrowed(policy, check.cost() - shown, nowMicros)
                : super.admitShown(check, shown, result, nowMicros);
    }

    private StateSnapshot addBorrowed(Policy policy, long tokens, long nowMicros) {
        long room = Math.max(0, 2 * (policy.burst() + policy.maxCost()) - found.used());
        long charged = Math.min(room, tokens);
        if (charged > 0) {
            add(policy, charged, nowMicros);
        }
        return charged == tokens ? found : null;
    }

    @Override
    public long refundableForMicros(CheckResult result) {
        return result.nextAfterMicros();
    }

    @Override
    public boolean refund(Check check, StateSnapshot then, long thenMicros, long nowMicros) {
        Policy policy = check.policy();
        long phase = ((IntervalBucket.Snapshot) then).phaseMicros(policy, thenMicros);
        if (used == 0 || lastMicros != phase || phase > nowMicros || nowMicros - phase >= policy.windowMicros()) {
            return false;
        }
        long missing = Math.max(0, used - check.cost());
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
    public long idleAtMicros() {
        return fullMicros;
    }
}
