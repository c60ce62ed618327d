package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.algorithm.FixedWindow;
import dev.limiter.internal.algorithm.PeriodCount;
import dev.limiter.internal.algorithm.StateSnapshot;

/** A counter and the instant at which its window ends: {@code lua/algorithm/fixed_window.lua}. */
final class FixedWindowState extends CountingState<FixedWindow.Snapshot> {
    private long endsMicros = Long.MIN_VALUE;
    private long used;
    private PeriodCount before = PeriodCount.NONE;
    private long idleAtMicros = Long.MIN_VALUE;

    @Override
    public StateSnapshot read(Check check, long nowMicros, boolean peek) {
        long window = check.policy().windowMicros();
        long ends = endsMicros;
        long counted = used;
        if (ends <= nowMicros) {
            ends = presentEnd(check, nowMicros, endsMicros);
            counted = 0;
        } else if (ends - nowMicros > 2 * window) {
            ends = presentEnd(check, nowMicros, Long.MIN_VALUE);
            if (!peek) {
                become(ends, check.policy());
            }
        }
        boolean fits = counted + check.cost() <= rules(check.policy()).mostCounted();
        found = new FixedWindow.Snapshot(fits, counted, ends - nowMicros);
        return found;
    }

    @Override
    void add(Policy policy, long units, long nowMicros) {
        if (policy.keepsPrevious() && endsMicros <= nowMicros) {
            before = new PeriodCount(endsMicros, used).directlyBefore(policy.period(), nowMicros);
        }
        become(found.endsMicros(nowMicros), policy);
        used = found.used() + units;
    }

    @Override
    public boolean refund(Check check, StateSnapshot then, long thenMicros, long nowMicros) {
        long counted = ((FixedWindow.Snapshot) then).endsMicros(thenMicros);
        if (counted + rules(check.policy()).keptMicros() <= nowMicros) {
            return false;
        }
        if (counted == endsMicros && used > 0) {
            used = Math.max(0, used - check.cost());
            return true;
        }
        boolean isBefore = counted == before.endsMicros() && before.used() > 0;
        before = isBefore ? new PeriodCount(counted, Math.max(0, before.used() - check.cost())) : before;
        return isBefore;
    }

    Usage usage(Policy policy, Usage.Period which, long nowMicros) {
        return PeriodCount.usage(policy, which, nowMicros, new PeriodCount(endsMicros, used), before);
    }

    @Override
    public long idleAtMicros() {
        return idleAtMicros;
    }

    /** Its present period ends with that of the store that is followed. */
    void endWith(long ends, Policy policy, long nowMicros) {
        used = endsMicros > nowMicros ? used : 0;
        become(ends, policy);
    }

    private void become(long ends, Policy policy) {
        before = policy.keepsPrevious() ? before : PeriodCount.NONE;
        endsMicros = ends;
        idleAtMicros = ends + rules(policy).rememberedMicros();
    }

    private static FixedWindow rules(Policy policy) {
        return (FixedWindow) policy.rules();
    }

    private static long presentEnd(Check check, long nowMicros, long lastEndMicros) {
        CalendarPeriod period = check.policy().period();
        return period == null
                ? presentEnd(nowMicros, check.phaseMicros(), check.policy().windowMicros())
                : period.endMicros(nowMicros, lastEndMicros);
    }

    static long presentEnd(long nowMicros, long phaseMicros, long window) {
        return nowMicros - Math.floorMod(nowMicros - phaseMicros, window) + window;
    }
}
