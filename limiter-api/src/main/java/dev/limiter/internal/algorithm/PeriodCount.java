package dev.limiter.internal.algorithm;

import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.calendar.Usage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The units of a period of the calendar. A state has that of the last period that was charged,
 * and behind it that of the period directly before.
 *
 * @param endsMicros when the period ends, in µs since 1970; not above 0 if it is not known
 * @param used units
 */
public record PeriodCount(long endsMicros, long used) {
    /** The count of a period of which nothing is known. */
    public static final PeriodCount NONE = new PeriodCount(0, 0);

    /**
     * {@return this count if its period is the one directly before that of an instant, else none}
     *
     * @param period of the calendar
     * @param nowMicros an instant after the end, in µs since 1970
     */
    public PeriodCount directlyBefore(CalendarPeriod period, long nowMicros) {
        return endsMicros > 0 && period.endMicros(endsMicros, endsMicros) > nowMicros ? this : NONE;
    }

    /**
     * Refuses to tell what no state has.
     *
     * @param policy the limit
     * @param which the period that is asked for
     * @throws IllegalArgumentException if the policy has no periods, or does not keep this one
     */
    public static void requireKnown(Policy policy, Usage.Period which) {
        if (policy.period() == null) {
            throw new IllegalArgumentException("policy \"" + policy.name() + "\" has no calendar period");
        }
        if (which == Usage.Period.PREVIOUS && !policy.keepsPrevious()) {
            throw new IllegalArgumentException("policy \"" + policy.name() + "\" does not keep the count of the period"
                    + " that ended; set limiter.policy." + policy.name() + ".keep=1, or in code keepingPrevious()");
        }
    }

    /**
     * {@return the usage that a state tells}
     *
     * @param policy for which {@link #requireKnown} has found the period
     * @param which the period that is asked for
     * @param nowMicros the instant on the clock of the store, in µs since 1970
     * @param last the count of the last period that was charged
     * @param before the count that stands behind it
     */
    public static Usage usage(Policy policy, Usage.Period which, long nowMicros, PeriodCount last, PeriodCount before) {
        CalendarPeriod period = policy.period();
        boolean isOver = last.endsMicros <= nowMicros;
        if (which == Usage.Period.PRESENT && isOver) {
            return told(0, period.endMicros(nowMicros, last.endsMicros));
        }
        if (which == Usage.Period.PRESENT) {
            boolean isTooFar = last.endsMicros - nowMicros > 2 * policy.windowMicros(); // the clock has stepped back
            return told(last.used, isTooFar ? period.endMicros(nowMicros) : last.endsMicros);
        }
        PeriodCount previous = isOver ? last.directlyBefore(period, nowMicros) : before;
        boolean hasEnded = previous.endsMicros > 0 && previous.endsMicros <= nowMicros;
        return told(previous.used, hasEnded ? previous.endsMicros : period.startMicros(nowMicros));
    }

    private static Usage told(long used, long endsMicros) {
        return new Usage(used, Instant.EPOCH.plus(endsMicros, ChronoUnit.MICROS));
    }
}
