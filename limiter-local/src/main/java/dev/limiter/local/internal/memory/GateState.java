package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.Gate;
import dev.limiter.internal.algorithm.StateSnapshot;

/** The instant until which a gate is closed: {@code lua/algorithm/gate.lua}. */
final class GateState implements PartitionState {
    private long opensMicros = Long.MIN_VALUE;

    @Override
    public StateSnapshot read(Check check, long nowMicros, boolean peek) {
        long furthest = nowMicros + check.policy().windowMicros();
        long opens = Math.min(opensMicros, furthest);
        if (!peek) {
            opensMicros = opens;
        }
        return new Gate.Snapshot(opens <= nowMicros, opens <= nowMicros ? 0 : opens - nowMicros);
    }

    @Override
    public void charge(Check check, long nowMicros) {
        // A request that passes takes nothing. A closing that only this process knows of stays.
    }

    @Override
    public void debt(Policy policy, long units, long nowMicros) {
        opensMicros = Math.max(opensMicros, nowMicros + Gate.of(policy).closingMicros(units));
    }

    @Override
    public boolean refund(Check check, StateSnapshot then, long thenMicros, long nowMicros) {
        return false;
    }

    @Override
    public long idleAtMicros() {
        return opensMicros;
    }
}
