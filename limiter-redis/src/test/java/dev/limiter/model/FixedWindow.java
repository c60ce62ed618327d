package dev.limiter.model;

import dev.limiter.Check;

/**
 * A counter: {@code used} in the window that ends at {@code endMicros}, nothing in any other.
 *
 * @param used at most twice the limit it was counted under: the second quota is debt
 */
record FixedWindow(long endMicros, long used) implements State {
    static final FixedWindow FRESH = new FixedWindow(0, 0);

    @Override
    public FixedWindow repaired(Check demand, long nowMicros) {
        return WindowEnd.isTooFar(endMicros, demand, nowMicros)
                ? new FixedWindow(WindowEnd.of(demand, nowMicros), used)
                : this;
    }

    private FixedWindow at(Check demand, long nowMicros) {
        return endMicros <= nowMicros ? new FixedWindow(WindowEnd.of(demand, nowMicros), 0) : this;
    }

    @Override
    public boolean fits(Check demand, long nowMicros) {
        return holds(demand.cost(), demand, nowMicros);
    }

    @Override
    public boolean holds(long units, Check demand, long nowMicros) {
        return at(demand, nowMicros).used + units <= demand.policy().limit();
    }

    @Override
    public FixedWindow taken(Check demand, long nowMicros) {
        return at(demand, nowMicros).with(demand.cost());
    }

    @Override
    public Charged charged(long units, Check demand, long nowMicros) {
        FixedWindow present = at(demand, nowMicros);
        long charged = Math.min(units, Math.max(0, 2 * demand.policy().limit() - present.used));
        return charged == 0 ? new Charged(this, 0) : new Charged(present.with(charged), charged);
    }

    @Override
    public Refunded refunded(Check demand, State then, long nowMicros) {
        boolean sameWindow = endMicros == ((FixedWindow) then).endMicros && endMicros > nowMicros;
        long back = sameWindow ? Math.min(demand.cost(), used) : 0;
        return new Refunded(with(-back), back > 0);
    }

    private FixedWindow with(long units) {
        return new FixedWindow(endMicros, used + units);
    }
}
