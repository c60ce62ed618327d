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

    /** A request that borrows may leave more debt than a charge. */
    @Override
    long room(Policy policy, long units) {
        long most = policy.borrow()
                ? 2 * (policy.burst() + policy.maxCost())
                : policy.rules().maxDebt();
        return Math.min(units, Math.max(0, most - found.used()));
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
