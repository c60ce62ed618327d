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
 * Days, weeks, months, quarters or years of a time zone: the periods of a quota. A period begins
 * with the first instant of its first date. It ends when the next one begins.
 *
 * <p>{@code CalendarPeriod.parse("1 month Europe/Paris from 31")}: from the 31st of a month,
 * Paris time, or from the last day of a month that has no 31st.
 */
public final class CalendarPeriod {
    private static final String UNITS = "day|week|month|quarter|year";

    /** What may be meant as this notation, also if it is wrong. */
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
     * {@return whether a text names a unit of the calendar, and so is for {@link #parse} and not
     * a span such as {@code 1d}, which is 24 hours}
     *
     * @param text what was written
     */
    public static boolean isMeant(String text) {
        return MEANT.matcher(text).matches();
    }

    /**
     * Reads {@code 1 month}, or {@code 1 month Europe/Paris from 15}: the number 1, one of
     * {@code day week month quarter year}, perhaps a time zone, and perhaps an anchor as
     * {@link #withAnchor} takes it. Without a zone it is UTC. Without an anchor it is the first
     * of January, of a month or of a quarter, and for weeks Monday.
     *
     * @param text what was written
     * @return the period
     * @throws IllegalArgumentException if the text is none, the time zone is unknown, or the unit
     *     has no such anchor; with what would be right
     */
    public static CalendarPeriod parse(String text) {
        Matcher matcher = NOTATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no period of the calendar; write 1, a unit of "
                    + "day, week, month, quarter and year, perhaps a time zone and where it begins, such as "
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
     * {@return this period from another start}
     *
     * @param text for weeks 1 (Monday) to 7; for months 1 to 31, where 31 is the last day of
     *     each month; for quarters and years a month and a day such as {@code 02-29}; for all of
     *     these also a date, such as that of a contract, {@code 2024-02-29}. A day that a month
     *     does not have is the last day of the month
     * @throws IllegalArgumentException if the unit has no such anchor; with what would be right
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
     * {@return this period of a caller whose anchor or time zone can change} The store remembers
     * when the last period ended, and the next one lasts at least {@link CalendarUnit#shortest}:
     * a new start that comes sooner is passed over. So a caller that moves its period gets no
     * more quotas than others.
     *
     * <p>On April 1, when its period ends, a caller moves its start to the 15th. Its next period
     * ends on May 15: April 15 is less than 28 days away.
     */
    public CalendarPeriod movable() {
        return new CalendarPeriod(unit, zone, anchor, true);
    }

    /** {@return whether anchor or time zone can change from call to call} */
    public boolean isMovable() {
        return movable;
    }

    /**
     * {@return whether all periods last equally long: days and weeks of a zone whose offset never
     * changes, such as UTC}
     */
    public boolean isOfOneLength() {
        return !unit.isOfMonths() && !movable && zone.getRules().isFixedOffset();
    }

    /** {@return how long a period lasts} */
    public CalendarUnit unit() {
        return unit;
    }

    /** {@return the longest that a period lasts: of a month 31 days and 3 hours} */
    public Duration longest() {
        return unit.longest();
    }

    /**
     * {@return when the period began that an instant lies in, in µs since 1970}
     *
     * @param nowMicros the instant, in µs since 1970
     */
    public long startMicros(long nowMicros) {
        return start(number(nowMicros));
    }

    /**
     * {@return when the period ends that an instant lies in, in µs since 1970; later than the
     * instant}
     *
     * @param nowMicros the instant, in µs since 1970
     */
    public long endMicros(long nowMicros) {
        return start(number(nowMicros) + 1);
    }

    /**
     * {@return when the period ends that an instant lies in, in µs since 1970; if it is
     * {@link #movable}, the first end that is late enough after another period}
     *
     * @param nowMicros the instant, in µs since 1970
     * @param lastEndMicros when the period before ended, in µs since 1970; any instant long past
     *     if there is none
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
     * {@return the start and the end of the present period, between the start of the period
     * before and the end of the period after; in µs since 1970, each later than the one before
     * it}
     *
     * @param nowMicros an instant of the present period, in µs since 1970
     */
    public long[] boundaries(long nowMicros) {
        long start = startMicros(nowMicros);
        long end = endMicros(nowMicros);
        return new long[] {startMicros(start - 1), start, end, endMicros(end)};
    }

    /**
     * The number of the period that an instant lies in. The local date of the instant leads near
     * it. Instants decide: a zone can skip a date, or have its midnight twice. A date that is
     * skipped begins when the next one does, and no instant lies in it.
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

    /** {@return whether the other has the same unit, time zone and anchor, and moves as this} */
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
