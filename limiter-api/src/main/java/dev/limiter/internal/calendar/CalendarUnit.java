package dev.limiter.internal.calendar;

import dev.limiter.calendar.CalendarPeriod;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.ChronoField;
import java.util.Locale;

/** How long a {@link CalendarPeriod} lasts: one of these units. */
public enum CalendarUnit {
    /** From midnight to midnight; it has no anchor. */
    DAY(1, 0, 1, 1),

    /** Seven days; from Monday, unless an anchor says otherwise. */
    WEEK(7, 0, 7, 7),

    /** From the first of a month, unless an anchor says otherwise. */
    MONTH(0, 1, 28, 31),

    /** Three months; from January, April, July and October, unless an anchor says otherwise. */
    QUARTER(0, 3, 89, 92),

    /** From the first of January, unless an anchor says otherwise. */
    YEAR(0, 12, 365, 366);

    private static final int CHANGES_HOURS = 3;

    private final int days;
    private final int months;
    private final Duration shortest;
    private final int longestDays;

    CalendarUnit(int days, int months, int shortestDays, int longestDays) {
        this.days = days;
        this.months = months;
        this.shortest = Duration.ofDays(shortestDays).minusHours(CHANGES_HOURS);
        this.longestDays = longestDays;
    }

    /**
     * {@return the longest period of this unit: its days, and 3 h for the changes of the hour
     * and of a zone's offset}
     */
    public Duration longest() {
        return Duration.ofDays(longestDays).plusHours(CHANGES_HOURS);
    }

    /**
     * {@return the shortest period of this unit: its days, less 3 h for the same changes; a zone
     * that skips a date has had a shorter one} A {@linkplain CalendarPeriod#movable movable}
     * period is never shorter than this, however it is moved.
     */
    public Duration shortest() {
        return shortest;
    }

    /** {@return the word of the notation, such as {@code month}} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether periods are whole months. */
    public boolean isOfMonths() {
        return months > 0;
    }

    /** The months of a period; 0 if it is a number of days. */
    int months() {
        return months;
    }

    /**
     * The number of the period that a date lies in, or one next to it.
     *
     * @param date any
     * @param anchor of this unit
     */
    public long near(LocalDate date, Anchor anchor) {
        return isOfMonths()
                ? Math.floorDiv(date.getLong(ChronoField.PROLEPTIC_MONTH) - anchor.month(), months)
                : Math.floorDiv(date.toEpochDay() - sinceThursday(anchor), days);
    }

    /**
     * The first date of a period. A day that the month does not have is its last day.
     *
     * @param number as {@link #near} counts
     * @param anchor of this unit
     */
    public LocalDate first(long number, Anchor anchor) {
        if (!isOfMonths()) {
            return LocalDate.ofEpochDay(number * days + sinceThursday(anchor));
        }
        long month = number * months + anchor.month();
        YearMonth of = YearMonth.of((int) Math.floorDiv(month, 12), Math.floorMod(month, 12) + 1);
        return of.atDay(Math.min(anchor.day(), of.lengthOfMonth()));
    }

    /** 1970-01-01, from which days are counted, was a Thursday. */
    private int sinceThursday(Anchor anchor) {
        return this == WEEK ? anchor.day() - DayOfWeek.THURSDAY.getValue() : 0;
    }
}
