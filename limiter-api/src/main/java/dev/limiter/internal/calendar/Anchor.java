package dev.limiter.internal.calendar;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Month;
import java.time.MonthDay;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Where the periods of a unit begin.
 *
 * @param month of quarters and years: the first month, from 0; 0 for all others
 * @param day of weeks the day of the week, 1 is Monday; of months, quarters and years the day
 *     of the month, 1 to 31; 1 for days
 */
public record Anchor(int month, int day) {
    public static final Anchor DEFAULT = new Anchor(0, 1);

    private static final Pattern NUMBER = Pattern.compile("\\d{1,2}");
    private static final Pattern MONTH_AND_DAY = Pattern.compile("\\d{2}-\\d{2}");
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

    /**
     * Reads an anchor.
     *
     * @throws IllegalArgumentException naming what the unit takes
     */
    public static Anchor parse(CalendarUnit unit, String text) {
        if (unit == CalendarUnit.DAY) {
            throw new IllegalArgumentException("a period of 1 day has no anchor; leave out \"" + text + "\"");
        }
        try {
            if (DATE.matcher(text).matches()) {
                return of(unit, LocalDate.parse(text));
            }
            if (unit == CalendarUnit.WEEK || unit == CalendarUnit.MONTH) {
                return ofNumber(unit, text);
            }
            if (MONTH_AND_DAY.matcher(text).matches()) {
                return of(unit, MonthDay.parse("--" + text));
            }
        } catch (DateTimeException noDate) {
            // such as February 30th
        }
        throw wrong(unit, text);
    }

    private static Anchor of(CalendarUnit unit, LocalDate date) {
        return switch (unit) {
            case DAY -> DEFAULT;
            case WEEK -> new Anchor(0, date.getDayOfWeek().getValue());
            case MONTH -> new Anchor(0, date.getDayOfMonth());
            case QUARTER, YEAR -> of(unit, MonthDay.from(date));
        };
    }

    private static Anchor of(CalendarUnit unit, MonthDay date) {
        return new Anchor((date.getMonthValue() - 1) % unit.months(), date.getDayOfMonth());
    }

    private static Anchor ofNumber(CalendarUnit unit, String text) {
        int most = unit == CalendarUnit.WEEK ? 7 : 31;
        int number = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (number < 1 || number > most) {
            throw wrong(unit, text);
        }
        return new Anchor(0, number);
    }

    private static IllegalArgumentException wrong(CalendarUnit unit, String text) {
        String right = switch (unit) {
            case DAY -> "absent";
            case WEEK -> "1 (Monday) to 7 (Sunday), or a date such as 2024-02-29";
            case MONTH -> "1 to 31, or a date such as 2024-02-29";
            case QUARTER, YEAR -> "a month and a day such as 02-29, or a date such as 2024-02-29";
        };
        return new IllegalArgumentException(
                "the anchor of a period of 1 " + unit.word() + " must be " + right + ", was \"" + text + "\"");
    }

    /** As {@link #parse} reads it. That of a quarter names the first month that has the day. */
    public String text(CalendarUnit unit) {
        if (!unit.isOfMonths() || unit == CalendarUnit.MONTH) {
            return String.valueOf(day);
        }
        int named = month + 1;
        while (Month.of(named).maxLength() < day) {
            named += unit.months();
        }
        return String.format(Locale.ROOT, "%02d-%02d", named, day);
    }
}
