package dev.limiter.model;

import dev.limiter.Check;
import dev.limiter.Enforcement;
import dev.limiter.calendar.Usage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A counter: {@code used} in the window that ends at {@code endMicros}. Of a policy that keeps it,
 * also the counter of the window directly before.
 *
 * @param used at most twice the limit it was counted under, since the second quota is debt; of a
 *     soft limit at most what 32 bits hold
 */
record FixedWindow(long endMicros, long used, Before before) implements State {
    private static final long MOST_SOFT = 4_294_967_295L;

    static final FixedWindow FRESH = new FixedWindow(Long.MIN_VALUE / 4, 0, Before.UNKNOWN);

    /** The units of the window before. */
    record Before(long endMicros, long used) {
        static final Before UNKNOWN = new Before(0, 0);
    }

    @Override
    public FixedWindow repaired(Check check, long nowMicros) {
        return WindowEnd.isTooFar(endMicros, check, nowMicros)
                ? new FixedWindow(WindowEnd.of(check, nowMicros), used, kept(check, nowMicros))
                : this;
    }

    /** The window before, as a call that writes leaves it. */
    private Before kept(Check check, long nowMicros) {
        if (!check.policy().keepsPrevious()) {
            return Before.UNKNOWN;
        }
        return endMicros > nowMicros ? before : directlyBefore(check, nowMicros);
    }

    /** This window, which has ended, if no other one has ended since. */
    private Before directlyBefore(Check check, long nowMicros) {
        return WindowEnd.after(endMicros, check, endMicros) > nowMicros ? new Before(endMicros, used) : Before.UNKNOWN;
    }

    private FixedWindow at(Check check, long nowMicros) {
        return endMicros <= nowMicros ? new FixedWindow(WindowEnd.after(endMicros, check, nowMicros), 0, before) : this;
    }

    private long used(long nowMicros) {
        return endMicros <= nowMicros ? 0 : used;
    }

    @Override
    public boolean fits(Check check, long nowMicros) {
        return used(nowMicros) + check.cost()
                <= (isSoft(check) ? MOST_SOFT : check.policy().limit());
    }

    @Override
    public boolean holds(long units, Check check, long nowMicros) {
        return used(nowMicros) + units <= check.policy().limit();
    }

    @Override
    public FixedWindow taken(Check check, long nowMicros) {
        return at(check, nowMicros).with(check.cost(), kept(check, nowMicros));
    }

    @Override
    public Charged charged(long units, Check check, long nowMicros) {
        FixedWindow present = at(check, nowMicros);
        long charged = Math.min(
                units,
                Math.max(0, (isSoft(check) ? MOST_SOFT : 2 * check.policy().limit()) - present.used));
        return charged == 0
                ? new Charged(this, 0)
                : new Charged(present.with(charged, kept(check, nowMicros)), charged);
    }

    @Override
    public Refunded refunded(Check check, State then, long nowMicros) {
        long counted = ((FixedWindow) then).endMicros;
        if (counted + WindowEnd.keptMicros(check.policy()) <= nowMicros) {
            return new Refunded(this, false);
        }
        if (endMicros == counted && used > 0) {
            return new Refunded(with(-Math.min(check.cost(), used), before), true);
        }
        long back = before.endMicros == counted ? Math.min(check.cost(), before.used) : 0;
        return new Refunded(with(0, new Before(before.endMicros, before.used - back)), back > 0);
    }

    Usage usage(Check check, Usage.Period which, long nowMicros) {
        if (which == Usage.Period.PRESENT) {
            FixedWindow present = repaired(check, nowMicros).at(check, nowMicros);
            return told(present.used, present.endMicros);
        }
        Before previous = endMicros > nowMicros ? before : directlyBefore(check, nowMicros);
        boolean ended = previous.endMicros > 0 && previous.endMicros <= nowMicros;
        return told(previous.used, ended ? previous.endMicros : WindowEnd.start(check, nowMicros));
    }

    private static Usage told(long used, long endMicros) {
        return new Usage(used, Instant.EPOCH.plus(endMicros, ChronoUnit.MICROS));
    }

    @Override
    public long overage(Check check, long nowMicros) {
        return Math.max(0, used(nowMicros) - check.policy().limit());
    }

    private static boolean isSoft(Check check) {
        return check.policy().enforcement() == Enforcement.SOFT;
    }

    private FixedWindow with(long units, Before behind) {
        return new FixedWindow(endMicros, used + units, behind);
    }
}
