package dev.limiter.model;

import dev.limiter.calendar.CalendarPeriod;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * The end of a period of the calendar, by its definition: the first instant of the first date,
 * after an instant, on which a period begins.
 *
 * @param unit day, week, month, quarter or year
 * @param month of quarters and years, a month in which a period begins
 * @param day of the week or of the month; 31 is the last day of each month
 */
public record CalendarEnd(String unit, ZoneId zone, int month, int day) {

    /** Reads the notation: {@code 1 month Europe/Paris from 31}, {@code 1 year from 02-29}. */
    static CalendarEnd of(CalendarPeriod period) {
        String[] words = period.toString().split(" ");
        boolean zoned = words.length > 2 && !words[2].equals("from");
        boolean anchored = words.length > 3 && words[words.length - 2].equals("from");
        String[] anchor = (anchored ? words[words.length - 1] : "1").split("-");
        return new CalendarEnd(
                words[1],
                ZoneId.of(zoned ? words[2] : "UTC"),
                anchor.length == 1 ? 1 : Integer.parseInt(anchor[0]),
                Integer.parseInt(anchor[anchor.length - 1]));
    }

    /** The end of the period that an instant lies in; both in µs since 1970. */
    public long after(long nowMicros) {
        LocalDate date = date(nowMicros).minusDays(1);
        while (!begins(date) || micros(date) <= nowMicros) {
            date = date.plusDays(1);
        }
        return micros(date);
    }

    /** The start of the period that an instant lies in; both in µs since 1970. */
    public long start(long nowMicros) {
        LocalDate date = date(nowMicros).plusDays(1);
        while (!begins(date) || micros(date) > nowMicros) {
            date = date.minusDays(1);
        }
        return micros(date);
    }

    private LocalDate date(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000))
                .atZone(zone)
                .toLocalDate();
    }

    private boolean begins(LocalDate date) {
        boolean onDay = date.getDayOfMonth() == Math.min(day, date.lengthOfMonth());
        return switch (unit) {
            case "day" -> true;
            case "week" -> date.getDayOfWeek().getValue() == day;
            case "month" -> onDay;
            case "quarter" -> onDay && (date.getMonthValue() - month) % 3 == 0;
            case "year" -> onDay && date.getMonthValue() == month;
            default -> throw new IllegalArgumentException(unit);
        };
    }

    private long micros(LocalDate date) {
        return date.atStartOfDay(zone).toEpochSecond() * 1_000_000;
    }
}
