package dev.limiter.model;

import dev.limiter.calendar.CalendarPeriod;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * The end of a period of the calendar, by its definition: the first instant of the first date,
 * after an instant, on which a period begins.
 *
 * @param unit day, week, month or year
 * @param anchor the day of the week or month; 0 for none
 */
record CalendarEnd(String unit, ZoneId zone, int anchor) {

    /** Reads the notation: {@code 1 month Europe/Paris from 31}. */
    static CalendarEnd of(CalendarPeriod period) {
        String[] words = period.toString().split(" ");
        boolean zoned = words.length > 2 && !words[2].equals("from");
        boolean anchored = words.length > 3 && words[words.length - 2].equals("from");
        return new CalendarEnd(
                words[1],
                ZoneId.of(zoned ? words[2] : "UTC"),
                anchored ? Integer.parseInt(words[words.length - 1]) : 1);
    }

    long after(long nowMicros) {
        LocalDate date = Instant.ofEpochSecond(Math.floorDiv(nowMicros, 1_000_000))
                .atZone(zone)
                .toLocalDate()
                .minusDays(1);
        while (!begins(date) || micros(date) <= nowMicros) {
            date = date.plusDays(1);
        }
        return micros(date);
    }

    private boolean begins(LocalDate date) {
        return switch (unit) {
            case "day" -> true;
            case "week" -> date.getDayOfWeek().getValue() == anchor;
            case "month" -> date.getDayOfMonth() == Math.min(anchor, date.lengthOfMonth());
            case "year" -> date.getDayOfYear() == 1;
            default -> throw new IllegalArgumentException(unit);
        };
    }

    private long micros(LocalDate date) {
        return date.atStartOfDay(zone).toEpochSecond() * 1_000_000;
    }
}
