package dev.limiter.calendar;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The periods of a calendar, found by search: a date is the first of a period if it satisfies the
 * definition, and begins at the first instant whose local date is not before it.
 */
final class CalendarByDefinition {

    /** Offsets of the zones in question are whole quarters of an hour. */
    private static final int STEP_MINUTES = 15;

    /** What no zone is further ahead of UTC. */
    private static final int MOST_AHEAD_HOURS = 15;

    private final ZoneId zone;
    private final List<LocalDate> dates;
    private final List<Long> beginnings = new ArrayList<>();

    /**
     * @param from the first date whose beginning is searched for
     * @param to the last one
     */
    CalendarByDefinition(ZoneId zone, LocalDate from, LocalDate to) {
        this.zone = zone;
        this.dates = from.datesUntil(to.plusDays(1)).toList();
        for (LocalDate date : dates) {
            beginnings.add(beginning(date));
        }
    }

    private long beginning(LocalDate date) {
        Instant instant = date.atStartOfDay(ZoneId.of("UTC")).toInstant().minus(MOST_AHEAD_HOURS, ChronoUnit.HOURS);
        while (localDate(instant).isBefore(date)) {
            instant = instant.plus(STEP_MINUTES, ChronoUnit.MINUTES);
        }
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    private LocalDate localDate(Instant instant) {
        return instant.atZone(zone).toLocalDate();
    }

    /** When each date begins, in µs since 1970. */
    List<Long> beginnings() {
        return beginnings;
    }

    /** When the periods begin whose first dates satisfy a definition. */
    TreeSet<Long> starts(First first) {
        TreeSet<Long> starts = new TreeSet<>();
        for (int i = 0; i < dates.size(); i++) {
            if (first.is(dates.get(i))) {
                starts.add(beginnings.get(i));
            }
        }
        return starts;
    }

    /** The definition of a unit and an anchor. */
    interface First {
        boolean is(LocalDate date);

        /** Each day. */
        static First ofDay() {
            return date -> true;
        }

        /** This day of each week. */
        static First ofWeek(DayOfWeek day) {
            return date -> date.getDayOfWeek() == day;
        }

        /** This day of each month, or the last one if the month is shorter. */
        static First ofMonth(int day) {
            return date -> date.getDayOfMonth() == day
                    || date.getDayOfMonth() < day && date.plusDays(1).getDayOfMonth() == 1;
        }

        /** This day of the year, and of each third month before and after it. */
        static First ofQuarter(MonthDay day) {
            return date -> ofMonth(day.getDayOfMonth()).is(date)
                    && Math.abs(date.getMonthValue() - day.getMonthValue()) % 3 == 0;
        }

        /** This day of each year; 28 February for 29 February in other years. */
        static First ofYear(MonthDay day) {
            return date -> ofMonth(day.getDayOfMonth()).is(date) && date.getMonth() == day.getMonth();
        }
    }
}
