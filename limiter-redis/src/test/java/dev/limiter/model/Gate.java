package dev.limiter.model;

import dev.limiter.Check;

/** Closed until an instant, for every caller. */
record Gate(long opensMicros) implements State {
    static final Gate FRESH = new Gate(0);

    @Override
    public Gate repaired(Check check, long nowMicros) {
        long furthest = nowMicros + check.policy().windowMicros();
        return opensMicros > furthest ? new Gate(furthest) : this;
    }

    @Override
    public boolean fits(Check check, long nowMicros) {
        return opensMicros <= nowMicros;
    }

    @Override
    public boolean holds(long units, Check check, long nowMicros) {
        return fits(check, nowMicros);
    }

    @Override
    public Gate taken(Check check, long nowMicros) {
        return this;
    }

    /** Units are milliseconds. A unit that is cut counts. */
    @Override
    public Charged charged(long units, Check check, long nowMicros) {
        long window = check.policy().windowMicros();
        long charged = Math.min(units, (window + 999) / 1_000);
        long opens = nowMicros + Math.min(units * 1_000, window);
        return new Charged(opens > opensMicros ? new Gate(opens) : this, charged);
    }

    @Override
    public Refunded refunded(Check check, State then, long nowMicros) {
        return new Refunded(this, false);
    }
}
