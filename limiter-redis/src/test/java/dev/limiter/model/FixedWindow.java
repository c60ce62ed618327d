package dev.limiter.model;

import dev.limiter.Check;
import dev.limiter.Enforcement;

/**
 * A counter: {@code used} in the window that ends at {@code endMicros}, nothing in any other.
 *
 * @param used at most twice the limit it was counted under, since the second quota is debt; of a
 *     soft limit at most what 32 bits hold
 */
record FixedWindow(long endMicros, long used) implements State {
    private static final long MOST_SOFT = 4_294_967_295L;

    static final FixedWindow FRESH = new FixedWindow(Long.MIN_VALUE / 4, 0);

    @Override
    public FixedWindow repaired(Check check, long nowMicros) {
        return WindowEnd.isTooFar(endMicros, check, nowMicros)
                ? new FixedWindow(WindowEnd.of(check, nowMicros), used)
                : this;
    }

    private FixedWindow at(Check check, long nowMicros) {
        return endMicros <= nowMicros ? new FixedWindow(WindowEnd.after(endMicros, check, nowMicros), 0) : this;
    }

    @Override
    public boolean fits(Check check, long nowMicros) {
        return at(check, nowMicros).used + check.cost()
                <= (isSoft(check) ? MOST_SOFT : check.policy().limit());
    }

    @Override
    public boolean holds(long units, Check check, long nowMicros) {
        return at(check, nowMicros).used + units <= check.policy().limit();
    }

    @Override
    public FixedWindow taken(Check check, long nowMicros) {
        return at(check, nowMicros).with(check.cost());
    }

    @Override
    public Charged charged(long units, Check check, long nowMicros) {
        FixedWindow present = at(check, nowMicros);
        long charged = Math.min(
                units,
                Math.max(0, (isSoft(check) ? MOST_SOFT : 2 * check.policy().limit()) - present.used));
        return charged == 0 ? new Charged(this, 0) : new Charged(present.with(charged), charged);
    }

    @Override
    public Refunded refunded(Check check, State then, long nowMicros) {
        boolean sameWindow = endMicros == ((FixedWindow) then).endMicros && endMicros > nowMicros;
        long back = sameWindow ? Math.min(check.cost(), used) : 0;
        return new Refunded(with(-back), back > 0);
    }

    @Override
    public long overage(Check check, long nowMicros) {
        return Math.max(0, at(check, nowMicros).used - check.policy().limit());
    }

    private static boolean isSoft(Check check) {
        return check.policy().enforcement() == Enforcement.SOFT;
    }

    private FixedWindow with(long units) {
        return new FixedWindow(endMicros, used + units);
    }
}
