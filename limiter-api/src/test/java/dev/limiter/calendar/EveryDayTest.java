package dev.limiter.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.calendar.CalendarByDefinition.First;
import dev.limiter.testkit.property.TestSize;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each instant lies in the period that a search by definition finds. */
@Tag("proof")
class EveryDayTest {

    /** Instants of each day, beside its first and last. */
    private static final int INSTANTS_OF_A_DAY = 2;

    /** At full size each anchor is tried at all instants, else at a part of them. */
    private static final int ALL = 100;

    /** The year and some days before and after, for the periods at the ends. */
    private static final int AROUND_DAYS = 2 * 366;

    private static final long DAY_MICROS = Duration.ofDays(1).toMillis() * 1_000;

    @ParameterizedTest
    @CsvSource({
        "UTC, 2023, 2032",
        "Europe/Paris, 2023, 2032",
        "America/Sao_Paulo, 2023, 2032",
        "Asia/Kathmandu, 2023, 2032",
        "Pacific/Apia, 2011, 2011",
        "America/Sao_Paulo, 2017, 2018", // the hour changed at midnight
        "America/St_Johns, 2010, 2011", // at 00:01, so that a day ended twice
        "America/Havana, 2023, 2023" // at 01:00, so that a day began twice
    })
    void eachInstantLiesInThePeriodThatTheDefinitionNames(String zone, int from, int to) {
        LocalDate first = LocalDate.of(from, 1, 1);
        LocalDate last = LocalDate.of(to, 12, 31);
        CalendarByDefinition calendar =
                new CalendarByDefinition(ZoneId.of(zone), first.minusDays(AROUND_DAYS), last.plusDays(AROUND_DAYS));
        long[] instants = instants(calendar, (int) (last.toEpochDay() - first.toEpochDay()) + 1);
        int step = Math.max(1, ALL / TestSize.of(ALL));
        List<String> differences = new ArrayList<>();
        definitions().forEach((anchored, definition) -> {
            CalendarPeriod period = period(anchored, zone);
            TreeSet<Long> starts = calendar.starts(definition);
            for (int i = Math.floorMod(anchored.hashCode(), step); i < instants.length; i += step) {
                compare(period, starts, instants[i], differences);
            }
            for (long start : starts.subSet(instants[0], instants[instants.length - 1])) {
                compare(period, starts, start - 1, differences);
                compare(period, starts, start, differences);
            }
        });
        assertThat(differences).isEmpty();
    }

    private static CalendarPeriod period(String anchored, String zone) {
        String[] unitAndAnchor = anchored.split(" ");
        CalendarPeriod period = CalendarPeriod.parse("1 " + unitAndAnchor[0] + " " + zone);
        return unitAndAnchor.length == 1 ? period : period.withAnchor(unitAndAnchor[1]);
    }

    private static void compare(CalendarPeriod period, TreeSet<Long> starts, long instant, List<String> differences) {
        long start = starts.floor(instant);
        long end = starts.higher(instant);
        boolean same = period.startMicros(instant) == start
                && period.endMicros(instant) == end
                && Arrays.equals(
                        period.boundaries(instant), new long[] {starts.lower(start), start, end, starts.higher(end)})
                && end - start <= period.longest().toMillis() * 1_000
                && end - start >= period.shortestMicros() - skippedMicros(period);
        if (!same) {
            differences.add(period + " at " + instant + " µs: from " + period.startMicros(instant) + " to "
                    + period.endMicros(instant) + ", by definition from " + start + " to " + end);
        }
    }

    /** Samoa skipped a date. */
    private static long skippedMicros(CalendarPeriod period) {
        return period.toString().contains("Pacific/Apia") ? DAY_MICROS : 0;
    }

    /** The first and the last µs of each day, the µs beside them, and some between. */
    private static long[] instants(CalendarByDefinition calendar, int days) {
        Random random = new Random(20240229);
        List<Long> instants = new ArrayList<>();
        for (long beginning : calendar.beginnings().subList(AROUND_DAYS, AROUND_DAYS + days)) {
            instants.addAll(List.of(beginning - 2, beginning - 1, beginning, beginning + 1));
            for (int i = 0; i < INSTANTS_OF_A_DAY; i++) {
                instants.add(beginning + random.nextLong(DAY_MICROS));
            }
        }
        return instants.stream().mapToLong(Long::longValue).toArray();
    }

    private static Map<String, First> definitions() {
        Map<String, First> definitions = new LinkedHashMap<>();
        definitions.put("day", First.ofDay());
        definitions.put("week", First.ofWeek(DayOfWeek.MONDAY));
        definitions.put("week 5", First.ofWeek(DayOfWeek.FRIDAY));
        definitions.put("week 7", First.ofWeek(DayOfWeek.SUNDAY));
        definitions.put("week 2024-02-29", First.ofWeek(DayOfWeek.THURSDAY));
        definitions.put("month", First.ofMonth(1));
        for (int day : new int[] {1, 15, 28, 29, 30, 31}) {
            definitions.put("month " + day, First.ofMonth(day));
        }
        definitions.put("month 2024-02-29", First.ofMonth(29));
        definitions.put("quarter", First.ofQuarter(MonthDay.of(1, 1)));
        definitions.put("year", First.ofYear(MonthDay.of(1, 1)));
        for (String day : new String[] {"01-15", "01-31", "02-28", "02-29", "03-30", "05-31", "08-29", "12-31"}) {
            definitions.put("quarter " + day, First.ofQuarter(MonthDay.parse("--" + day)));
            definitions.put("year " + day, First.ofYear(MonthDay.parse("--" + day)));
        }
        definitions.put("quarter 2024-02-29", First.ofQuarter(MonthDay.of(2, 29)));
        definitions.put("year 2024-02-29", First.ofYear(MonthDay.of(2, 29)));
        return definitions;
    }
}
