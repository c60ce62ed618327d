package dev.limiter.local;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.IntervalReading;
import dev.limiter.spi.Reading;

/** Missing tokens and the instant of the last refill: {@code lua/algorithm/interval.lua}. */
final class IntervalCell implements Cell {
    private long lastMicros;
    private long used;
    private long idleAtMicros = Long.MIN_VALUE;
    private IntervalReading found;

    @Override
    public Reading read(Demand demand, long nowMicros, long phaseMicros, boolean peek) {
        Policy policy = demand.policy();
        long window = policy.windowMicros();
        long last = lastMicros;
        if (used > 0 && last > nowMicros) {
            last = nowMicros;
            if (!peek) {
                write(policy, last, used);
            }
        }
        // No more refills than tokens are missing, so that nothing overflows after a long rest.
        long refills = used == 0 ? 0 : Math.min((nowMicros - last) / window, -Math.floorDiv(-used, policy.limit()));
        long missing = Math.max(0, used - refills * policy.limit());
        long left = missing == 0 ? 0 : last + (refills + 1) * window - nowMicros;
        boolean fits = missing + IntervalReading.need(demand) <= policy.burst();
        found = new IntervalReading(fits, missing, left);
        return found;
    }

    @Override
    public void charge(Demand demand, long nowMicros) {
        add(demand.policy(), demand.cost(), nowMicros);
    }

    @Override
    public void debt(Policy policy, long units, long nowMicros) {
        long charged = found.chargeable(policy, units);
        if (charged > 0) {
            add(policy, charged, nowMicros);
        }
    }

    private void add(Policy policy, long tokens, long nowMicros) {
        write(policy, found.phaseMicros(policy, nowMicros), found.used() + tokens);
    }

    @Override
    public boolean refund(Demand demand, Reading then, long thenMicros, long nowMicros) {
        Policy policy = demand.policy();
        long phase = ((IntervalReading) then).phaseMicros(policy, thenMicros);
        if (used == 0 || lastMicros != phase || phase > nowMicros || nowMicros - phase >= policy.windowMicros()) {
            return false;
        }
        write(policy, lastMicros, Math.max(0, used - demand.cost()));
        return true;
    }

    private void write(Policy policy, long last, long missing) {
        lastMicros = last;
        used = missing;
        long refills = -Math.floorDiv(-missing, policy.limit());
        double idleAt = last + (double) refills * policy.windowMicros();
        idleAtMicros = (long) Math.min(idleAt, Long.MAX_VALUE);
    }

    @Override
    public long idleAtMicros() {
        return idleAtMicros;
    }

    @Override
    public long bytes() {
        return 0;
    }
}
