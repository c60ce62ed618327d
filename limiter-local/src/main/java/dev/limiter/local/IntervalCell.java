package dev.limiter.local;

import dev.limiter.Answer;
import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.IntervalReading;
import dev.limiter.spi.Reading;

/** Missing tokens and the instant of the last refill: {@code lua/algorithm/interval.lua}. */
final class IntervalCell implements CountingCell {
    private long lastMicros;
    private long fullMicros = Long.MIN_VALUE;
    private long used;
    private IntervalReading found;

    @Override
    public Reading read(Demand demand, long nowMicros, boolean peek) {
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

    private IntervalReading filling(Demand demand, long last, long full, long nowMicros) {
        Policy policy = demand.policy();
        long window = policy.windowMicros();
        long refills = (nowMicros - last) / window;
        // A double, as in the script: what leaves a long's range leaves nothing missing.
        long missing = (long) Math.max(0, used - (double) refills * policy.limit());
        if (missing == 0) {
            return full(demand);
        }
        boolean fits = missing + IntervalReading.need(demand) <= policy.burst();
        return new IntervalReading(fits, missing, last + (refills + 1) * window - nowMicros, full - nowMicros);
    }

    private static IntervalReading full(Demand demand) {
        return new IntervalReading(
                IntervalReading.need(demand) <= demand.policy().burst(), 0, 0, 0);
    }

    @Override
    public Reading found() {
        return found;
    }

    @Override
    public void add(Policy policy, long tokens, long nowMicros) {
        long last = found.phaseMicros(policy, nowMicros);
        long missing = found.used() + tokens;
        write(last, last + IntervalReading.fullAfterMicros(policy, missing), missing);
    }

    /** Who may borrow leaves more missing than the bound of debts. */
    @Override
    public Reading admit(Demand demand, Reading then, long slotMicros, long nowMicros) {
        Policy policy = demand.policy();
        if (!policy.borrow()) {
            return CountingCell.super.admit(demand, then, slotMicros, nowMicros);
        }
        return addBorrowed(policy, demand.cost(), nowMicros);
    }

    @Override
    public Reading admitShown(Demand demand, long shown, Answer answer, long nowMicros) {
        Policy policy = demand.policy();
        return policy.borrow()
                ? addBorrowed(policy, demand.cost() - shown, nowMicros)
                : CountingCell.super.admitShown(demand, shown, answer, nowMicros);
    }

    private Reading addBorrowed(Policy policy, long tokens, long nowMicros) {
        Reading then = found;
        long room = Math.max(0, 2 * (policy.burst() + policy.maxCost()) - found.used());
        long charged = Math.min(room, tokens);
        if (charged > 0) {
            add(policy, charged, nowMicros);
        }
        return charged == tokens ? then : null;
    }

    @Override
    public long refundableForMicros(Answer answer) {
        return answer.nextAfterMicros();
    }

    @Override
    public boolean refund(Demand demand, Reading then, long thenMicros, long nowMicros) {
        Policy policy = demand.policy();
        long phase = ((IntervalReading) then).phaseMicros(policy, thenMicros);
        if (used == 0 || lastMicros != phase || phase > nowMicros || nowMicros - phase >= policy.windowMicros()) {
            return false;
        }
        long missing = Math.max(0, used - demand.cost());
        // Of a debt under another limit, only what is left of the first may be countable.
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
