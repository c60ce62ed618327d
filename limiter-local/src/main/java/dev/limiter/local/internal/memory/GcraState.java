package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.Gcra;
import dev.limiter.internal.algorithm.Rate;
import dev.limiter.internal.algorithm.Rate.Span;
import dev.limiter.internal.algorithm.StateSnapshot;

/**
 * The instant at which the bucket will be empty again, or the next free slot:
 * {@code lua/algorithm/gcra.lua}.
 */
final class GcraState implements PartitionState {
    private static final long NEVER = Long.MIN_VALUE / 2;

    /** Steps in a µs of {@link #content}. */
    private static final long STEPS = 256;

    private long instantMicros = NEVER;
    private long instantPart;

    /** The limit under which it was written; 0 if the state does not say it. */
    private long writtenLimit;

    /** The value of a float: the script keeps a float and compares it as a double. */
    private double reachMicros;

    private Gcra.Snapshot found;

    @Override
    public StateSnapshot read(Check check, long nowMicros, boolean peek) {
        Gcra rules = Gcra.of(check.policy());
        Span left = left(rules, nowMicros);
        Span backlog = backlog(rules, left);
        boolean isOther = left.micros() > reachMicros || isVaried(rules) && !left.atMost(Span.ZERO);
        if (isOther && !peek && backlog.micros() < Rate.LONGEST_MICROS) {
            write(rules.writtenLimit(), nowMicros, backlog);
        }
        found = new Gcra.Snapshot(backlog.atMost(rules.tolerance(check)), backlog);
        return found;
    }

    @Override
    public void charge(Check check, long nowMicros) {
        Gcra rules = Gcra.of(check.policy());
        Rate rate = rules.rate();
        write(rules.writtenLimit(), nowMicros, rate.plus(found.backlog(), rate.timeOf(check.cost())));
    }

    @Override
    public void debt(Policy policy, long units, long nowMicros) {
        Span raised =
                Gcra.of(policy).rate().plus(found.backlog(), Gcra.of(policy).debtIncrement(units));
        Span bound = Gcra.of(policy).debtLimit();
        Span after = raised.atMost(bound) ? raised : bound;
        if (!after.atMost(found.backlog())) {
            write(policy.limit(), nowMicros, after);
        }
    }

    /**
     * Charges a slot as late as the other limiter gave it, so that slots of this limiter come
     * after it.
     */
    @Override
    public StateSnapshot admit(Check check, StateSnapshot then, long slotMicros, long nowMicros) {
        Policy policy = check.policy();
        boolean isLater = Gcra.of(policy).delays() && slotMicros > found.backlogMicros();
        Span backlog = new Span(isLater ? slotMicros : found.backlogMicros(), isLater ? 0 : found.backlogPart());
        Rate rate = Gcra.of(policy).rate();
        Span after = rate.plus(backlog, rate.timeOf(check.cost()));
        Span bound = Gcra.of(policy).mostOwed();
        if (after.atMost(bound)) {
            write(rate.limit(), nowMicros, after);
            return found.fits() && !isLater ? found : new Gcra.Snapshot(true, backlog);
        }
        if (!bound.atMost(found.backlog())) {
            write(rate.limit(), nowMicros, bound);
        }
        return null;
    }

    /**
     * The units can be given back as far as they have not leaked, by their own result and not by
     * the later one. A slot that is not the last one cannot.
     */
    @Override
    public StateSnapshot admitShown(Check check, long shown, CheckResult result, long nowMicros) {
        Policy policy = check.policy();
        Rate rate = Gcra.of(policy).rate();
        Span price = rate.timeOf(check.cost());
        Span after = found.backlog();
        if (shown < up(rate, price)) {
            Span part = new Span(shown / STEPS, shown % STEPS * rate.limit() / STEPS);
            after = rate.plus(after, rate.minus(price, part));
            Span bound = Gcra.of(policy).mostOwed();
            if (!after.atMost(bound)) {
                debt(policy, check.cost(), nowMicros);
                return null;
            }
            write(rate.limit(), nowMicros, after);
        }
        Span own = new Span(result.resetAfterMicros(), 0);
        return Gcra.of(policy).delays()
                ? null
                : new Gcra.Snapshot(true, rate.minus(own.atMost(after) ? own : after, price));
    }

    @Override
    public long shownBySlot(Policy policy, StateSnapshot then, long slotMicros) {
        Span backlog = ((Gcra.Snapshot) then).backlog();
        return slotMicros > backlog.micros()
                ? slotMicros * STEPS - down(Gcra.of(policy).rate(), backlog)
                : 0;
    }

    @Override
    public boolean reaches(Check check, StateSnapshot then, long slotMicros) {
        Rate rate = Gcra.of(check.policy()).rate();
        return slotMicros == 0
                || rate.plus(new Span(slotMicros, 0), rate.timeOf(check.cost()))
                        .atMost(((Gcra.Snapshot) then).backlog());
    }

    @Override
    public long price(Policy policy, long units) {
        return up(Gcra.of(policy).rate(), Gcra.of(policy).debtIncrement(units));
    }

    @Override
    public long content(Policy policy) {
        return down(Gcra.of(policy).rate(), found.backlog());
    }

    private static long down(Rate rate, Span span) {
        return span.micros() * STEPS + span.part() * STEPS / rate.limit();
    }

    private static long up(Rate rate, Span span) {
        return span.micros() * STEPS + -Math.floorDiv(-span.part() * STEPS, rate.limit());
    }

    @Override
    public boolean refund(Check check, StateSnapshot then, long thenMicros, long nowMicros) {
        Gcra rules = Gcra.of(check.policy());
        Rate rate = rules.rate();
        Span reached = ((Gcra.Snapshot) then).instantAfter(check, thenMicros);
        boolean last =
                instantMicros == reached.micros() && instantPart == reached.part() && writtenLimit == rate.limit();
        if (rules.delays() && !last) {
            return false;
        }
        long ahead = reached.micros() - nowMicros - comeBackFaster(rules, nowMicros - thenMicros);
        Span price = rate.timeOf(check.cost());
        Span most = new Span(ahead, reached.part());
        Span given = price.atMost(most) ? price : most;
        Span backlog = backlog(rules, left(rules, nowMicros));
        if (given.atMost(Span.ZERO) || backlog.atMost(Span.ZERO) || backlog.micros() == Rate.LONGEST_MICROS) {
            return false;
        }
        Span kept = rate.minus(backlog, given);
        if (kept.atMost(Span.ZERO)) {
            instantMicros = NEVER;
            instantPart = 0;
        } else {
            write(rate.limit(), nowMicros, kept);
        }
        return true;
    }

    private void write(long limit, long nowMicros, Span backlog) {
        instantMicros = nowMicros + backlog.micros();
        instantPart = backlog.part();
        writtenLimit = limit;
        reachMicros = (float) (backlog.micros() * (1 + 0x1p-22) + 1);
    }

    /**
     * The backlog in the measure of these rules. It is cut if it lies further ahead than when it
     * was written, because the clock has stepped back.
     */
    private Span backlog(Gcra rules, Span left) {
        boolean isCut = left.micros() > reachMicros;
        Span cut = new Span(isCut ? (long) reachMicros : left.micros(), isCut ? 0 : left.part());
        return isVaried(rules) && !cut.atMost(Span.ZERO) ? rules.rate().ofUnitsIn(cut, writtenLimit) : cut;
    }

    private boolean isVaried(Gcra rules) {
        return rules.keepsUnits()
                && writtenLimit != 0
                && writtenLimit != rules.rate().limit();
    }

    /**
     * By how much more than the time that has passed units may have come back, at the rate of
     * the higher limit that has written the state since.
     */
    private long comeBackFaster(Gcra rules, long passedMicros) {
        long more = isVaried(rules) ? -Math.floorDiv(-writtenLimit, rules.rate().limit()) - 1 : 0;
        return more == 0 ? 0 : Math.min(Rate.LONGEST_MICROS / more, Math.max(0, passedMicros)) * more;
    }

    /** How far the instant lies ahead, in the measure of the limit that wrote it. */
    private Span left(Gcra rules, long nowMicros) {
        boolean exact = instantPart == 0 || writtenLimit == rules.rate().limit() || isVaried(rules);
        long micros = exact ? instantMicros : instantMicros + 1;
        boolean isOver = micros < nowMicros;
        return new Span(isOver ? 0 : micros - nowMicros, isOver || !exact ? 0 : instantPart);
    }

    @Override
    public long idleAtMicros() {
        return instantPart > 0 ? instantMicros + 1 : instantMicros;
    }
}
