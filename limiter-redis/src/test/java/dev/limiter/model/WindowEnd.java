package dev.limiter.model;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;

/** Where the windows of a partition lie. */
final class WindowEnd {

    private WindowEnd() {}

    /** The end of the window that contains now, which is the first instant outside of it. */
    static long of(Check check, long nowMicros) {
        Policy policy = check.policy();
        if (policy.period() != null) {
            return CalendarEnd.of(policy.period()).after(nowMicros);
        }
        long window = policy.windowMicros();
        long phase = policy.aligned() ? 0 : check.key().stableHash() % window;
        return nowMicros - Math.floorMod(nowMicros - phase, window) + window;
    }

    /**
     * The same after another window. If periods can be moved, the first boundary counts from
     * which the end before is at least the shortest period away.
     */
    static long after(long lastEndMicros, Check check, long nowMicros) {
        long end = of(check, nowMicros);
        CalendarPeriod period = check.policy().period();
        while (period != null && period.isMovable() && end - lastEndMicros < shortestMicros(period)) {
            end = of(check, end);
        }
        return end;
    }

    /** The start of the period of the calendar that contains now. */
    static long start(Check check, long nowMicros) {
        return CalendarEnd.of(check.policy().period()).start(nowMicros);
    }

    /** How long after its end a count is kept: as long as the next period can last. */
    static long keptMicros(Policy policy) {
        if (!policy.keepsPrevious()) {
            return 0;
        }
        return policy.windowMicros() + (policy.period().isMovable() ? shortestMicros(policy.period()) : 0);
    }

    private static long shortestMicros(CalendarPeriod period) {
        int days = switch (period.unit()) {
            case DAY -> 1;
            case WEEK -> 7;
            case MONTH -> 28;
            case QUARTER -> 89;
            case YEAR -> 365;
        };
        return (days * 24L - 3) * 3_600_000_000L;
    }

    /** Whether an end lies further ahead than a clock that is a window wrong can explain. */
    static boolean isTooFar(long endMicros, Check check, long nowMicros) {
        return endMicros - nowMicros > 2 * check.policy().windowMicros();
    }
}
