package dev.limiter.local;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.GateReading;
import dev.limiter.spi.Reading;

/** The instant until which a gate is closed: {@code lua/algorithm/gate.lua}. */
final class GateCell implements Cell {
    private long opensMicros = Long.MIN_VALUE;

    @Override
    public Reading read(Demand demand, long nowMicros, boolean peek) {
        long furthest = nowMicros + demand.policy().windowMicros();
        long opens = Math.min(opensMicros, furthest);
        if (!peek) {
            opensMicros = opens;
        }
        return new GateReading(opens <= nowMicros, opens <= nowMicros ? 0 : opens - nowMicros);
    }

    @Override
    public void charge(Demand demand, long nowMicros) {
        // whoever passes takes nothing
    }

    @Override
    public void debt(Policy policy, long units, long nowMicros) {
        opensMicros = Math.max(opensMicros, nowMicros + GateReading.closingMicros(policy, units));
    }

    /** The store has let it pass, and knows of no closing that is known here only: that one stays. */
    @Override
    public Reading admit(Demand demand, Reading found, long slotMicros, long nowMicros) {
        return found;
    }

    @Override
    public boolean refund(Demand demand, Reading then, long thenMicros, long nowMicros) {
        return false;
    }

    @Override
    public long idleAtMicros() {
        return opensMicros;
    }
}
