package dev.limiter.model;

import static java.math.BigInteger.valueOf;

import dev.limiter.Check;
import java.math.BigInteger;

/**
 * Two counters: {@code current} of the window that ends at {@code endMicros}, {@code previous}
 * of the one before, which weighs as much as the part of it that the last window's length still
 * covers.
 */
record SlidingWindow(long endMicros, long previous, long current) implements State {
    static final SlidingWindow FRESH = new SlidingWindow(0, 0, 0);

    @Override
    public SlidingWindow repaired(Check check, long nowMicros) {
        return WindowEnd.isTooFar(endMicros, check, nowMicros)
                ? new SlidingWindow(WindowEnd.of(check, nowMicros), previous, current)
                : this;
    }

    private SlidingWindow at(Check check, long nowMicros) {
        if (endMicros > nowMicros) {
            return this;
        }
        long next = endMicros + check.policy().windowMicros();
        return next > nowMicros
                ? new SlidingWindow(next, current, 0)
                : new SlidingWindow(WindowEnd.of(check, nowMicros), 0, 0);
    }

    @Override
    public boolean fits(Check check, long nowMicros) {
        return holds(check.cost(), check, nowMicros);
    }

    @Override
    public boolean holds(long units, Check check, long nowMicros) {
        SlidingWindow present = at(check, nowMicros);
        long window = check.policy().windowMicros();
        long covered = Math.min(present.endMicros - nowMicros, window);
        BigInteger before = valueOf(present.previous).multiply(valueOf(covered));
        BigInteger since = valueOf(present.current + units).multiply(valueOf(window));
        BigInteger most = valueOf(check.policy().limit()).multiply(valueOf(window));
        return before.add(since).compareTo(most) <= 0;
    }

    @Override
    public SlidingWindow taken(Check check, long nowMicros) {
        return at(check, nowMicros).with(check.cost());
    }

    @Override
    public Charged charged(long units, Check check, long nowMicros) {
        SlidingWindow present = at(check, nowMicros);
        long charged = Math.min(units, Math.max(0, 2 * check.policy().limit() - present.current));
        return charged == 0 ? new Charged(this, 0) : new Charged(present.with(charged), charged);
    }

    @Override
    public Refunded refunded(Check check, State then, long nowMicros) {
        boolean sameWindow = endMicros == ((SlidingWindow) then).endMicros && endMicros > nowMicros;
        long back = sameWindow ? Math.min(check.cost(), current) : 0;
        return new Refunded(with(-back), back > 0);
    }

    private SlidingWindow with(long units) {
        return new SlidingWindow(endMicros, previous, current + units);
    }
}
