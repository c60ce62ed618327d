package dev.limiter.calendar;

import dev.limiter.internal.calendar.Anchor;
import dev.limiter.internal.calendar.CalendarUnit;
import dev.limiter.internal.calendar.UnknownTimeZoneException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The days, weeks, months, quarters or years of a time zone, as the windows of a quota. A period
 * begins with the first instant of its first date, and ends when the next one begins.
 *
 * <p>{@code CalendarPeriod.parse("1 month Europe/Paris from 31")} begins on the 31st of each
 * month, Paris time, or on the last day of a shorter month.
 */
public final class CalendarPeriod {
    private static final String UNITS = "day|week|month|quarter|year";

    /** A text that is meant as this notation, even if it is wrong. */
    private static final Pattern MEANT =
            Pattern.compile("[-+.\\d]*\\s*(?:" + UNITS + ")s?(?:\\s.*)?", Pattern.CASE_INSENSITIVE);

    private static final Pattern NOTATION =
            Pattern.compile("1 (" + UNITS + ")(?: (?!from\\b)(\\S+))?(?: from (\\S+))?");

    private static final int MICROS_PER_SECOND = 1_000_000;

    private final CalendarUnit unit;
    private final ZoneId zone;
    private final Anchor anchor;
    private final boolean movable;

    private CalendarPeriod(CalendarUnit unit, ZoneId zone, Anchor anchor, boolean movable) {
        this.unit = unit;
        this.zone = zone;
        this.anchor = anchor;
        this.movable = movable;
    }

    /**
     * {@return whether a text names a unit of the calendar, so that {@link #parse} should read it}
     * A span such as {@code 1d}, which is 24 hours, does not.
     *
     * @param text what was written
     */
    public static boolean isMeant(String text) {
        return MEANT.matcher(text).matches();
    }

    /**
     * Reads a period such as {@code 1 month} or {@code 1 month Europe/Paris from 15}: the number
     * 1, then one of {@code day week month quarter year}, optionally a time zone, and optionally
     * an anchor as {@link #withAnchor} takes it. Without a zone the period is in UTC. Without an
     * anchor it begins on Monday, or on the first day of its month, quarter or year.
     *
     * @param text what was written
     * @return the period
     * @throws IllegalArgumentException if the text is no period, the time zone is unknown, or the
     *     unit has no such anchor; the message says what would be right
     */
    public static CalendarPeriod parse(String text) {
        Matcher matcher = NOTATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not a calendar period; write 1 day, week, "
                    + "month, quarter or year, optionally with a time zone and a start, such as "
                    + "\"1 month\" or \"1 month Europe/Paris from 15\"");
        }
        CalendarUnit unit = CalendarUnit.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
        String zone = matcher.group(2);
        String anchor = matcher.group(3);
        return new CalendarPeriod(
                unit,
                zone == null ? ZoneOffset.UTC : zone(zone),
                anchor == null ? Anchor.DEFAULT : Anchor.parse(unit, anchor),
                false);
    }

    private static ZoneId zone(String id) {
        try {
            return ZoneId.of(id).normalized(); // UTC is the same zone, however it is written
        } catch (DateTimeException unknown) {
            throw new UnknownTimeZoneException(id, unknown);
        }
    }

    /**
     * {@return this period with another start}
     *
     * @param text for weeks 1 (Monday) to 7; for months 1 to 31, where 31 is the last day of each
     *     month; for quarters and years a month and a day such as {@code 02-29}; for all of these
     *     also a date, such as that of a contract, {@code 2024-02-29}. If a month does not have
     *     that day, its last day counts
     * @throws IllegalArgumentException if the unit has no such anchor; the message says what would
     *     be right
     */
    public CalendarPeriod withAnchor(String text) {
        return new CalendarPeriod(unit, zone, Anchor.parse(unit, text), movable);
    }

    /**
     * {@return this period in another time zone}
     *
     * @param id such as {@code Europe/Paris}
     * @throws IllegalArgumentException if there is no such zone
     */
    public CalendarPeriod withZone(String id) {
        return new CalendarPeriod(unit, zone(id), anchor, movable);
    }

    /**
     * {@return this period for a caller whose anchor or time zone can change} The store then
     * remembers when the last period ended, and passes over a new start that comes sooner than
     * {@link CalendarUnit#shortest} after it. So callers that move their period get no additional
     * quota.
     *
     * <p>If a caller's period ends on April 1, and its start moves to the 15th, the next period
     * ends on May 15, because April 15 is less than 28 days away.
     */
    public CalendarPeriod movable() {
        return new CalendarPeriod(unit, zone, anchor, true);
    }

    /** {@return whether anchor or time zone can change from call to call} */
    public boolean isMovable() {
        return movable;
    }

    /**
     * {@return whether all periods have the same length: days and weeks of a zone whose offset
     * never changes, such as UTC}
     */
    public boolean isOfOneLength() {
        return !unit.isOfMonths() && !movable && zone.getRules().isFixedOffset();
    }

    /** {@return the unit: day, week, month, quarter or year} */
    public CalendarUnit unit() {
        return unit;
    }

    /** {@return how long the longest period lasts: for months 31 days and 3 hours} */
    public Duration longest() {
        return unit.longest();
    }

    /**
     * {@return the start of the period that contains an instant, in µs since 1970}
     *
     * @param nowMicros the instant, in µs since 1970
     */
    public long startMicros(long nowMicros) {
        return start(number(nowMicros));
    }

    /**
     * {@return the end of the period that contains an instant, in µs since 1970; later than the
     * instant}
     *
     * @param nowMicros the instant, in µs since 1970
     */
    public long endMicros(long nowMicros) {
        return start(number(nowMicros) + 1);
    }

    /**
     * {@return the end of the period that contains an instant, in µs since 1970; if the period is
     * {@link #movable}, the first end that is late enough after the last period}
     *
     * @param nowMicros the instant, in µs since 1970
     * @param lastEndMicros when the last period ended, in µs since 1970; any instant long past if
     *     there was none
     */
    public long endMicros(long nowMicros, long lastEndMicros) {
        long end = endMicros(nowMicros);
        while (movable && end < lastEndMicros + shortestMicros()) {
            end = endMicros(end);
        }
        return end;
    }

    /** {@return {@link CalendarUnit#shortest} in microseconds} */
    public long shortestMicros() {
        return unit.shortest().toMillis() * 1_000;
    }

    /**
     * {@return four instants in µs since 1970, each later than the one before: the start of the
     * previous period, the start and the end of the present one, and the end of the next}
     *
     * @param nowMicros an instant of the present period, in µs since 1970
     */
    public long[] boundaries(long nowMicros) {
        long start = startMicros(nowMicros);
        long end = endMicros(nowMicros);
        return new long[] {startMicros(start - 1), start, end, endMicros(end)};
    }

    /**
     * The number of the period that contains an instant. The local date leads near it, and
     * instants decide, because a zone can skip a date or have midnight twice. A date that is
     * skipped begins when the next one does, and contains no instant.
     */
    private long number(long nowMicros) {
        long seconds = Math.floorDiv(nowMicros, MICROS_PER_SECOND);
        long number = unit.near(Instant.ofEpochSecond(seconds).atZone(zone).toLocalDate(), anchor);
        while (start(number) > nowMicros) {
            number--;
        }
        while (start(number + 1) <= nowMicros) {
            number++;
        }
        return number;
    }

    private long start(long number) {
        return unit.first(number, anchor).atStartOfDay(zone).toEpochSecond() * MICROS_PER_SECOND;
    }

    /** {@return whether the other has the same unit, time zone and anchor, and is as movable} */
    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof CalendarPeriod that
                        && unit == that.unit
                        && zone.equals(that.zone)
                        && anchor.equals(that.anchor)
                        && movable == that.movable;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * unit.hashCode() + zone.hashCode()) + anchor.hashCode();
    }

    /** {@return the notation: {@code 1 month Europe/Paris from 31}} */
    @Override
    public String toString() {
        String zoned = zone == ZoneOffset.UTC ? "" : " " + zone;
        String anchored = anchor.equals(Anchor.DEFAULT) ? "" : " from " + anchor.text(unit);
        return "1 " + unit.word() + zoned + anchored;
    }
}
