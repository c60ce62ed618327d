package dev.limiter.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.internal.calendar.UnknownTimeZoneException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarPeriodTest {

    @ParameterizedTest
    @CsvSource({
        "1 day,                    '',         2026-11-23T13:45Z, 2026-11-23T00:00Z, 2026-11-24T00:00Z",
        "1 week,                   '',         2026-11-22T13:45Z, 2026-11-16T00:00Z, 2026-11-23T00:00Z",
        "1 week,                   7,          2026-11-22T13:45Z, 2026-11-22T00:00Z, 2026-11-29T00:00Z",
        "1 month,                  '',         2026-11-23T13:45Z, 2026-11-01T00:00Z, 2026-12-01T00:00Z",
        "1 month,                  15,         2026-11-14T23:59Z, 2026-10-15T00:00Z, 2026-11-15T00:00Z",
        "1 month,                  31,         2026-02-28T00:00Z, 2026-02-28T00:00Z, 2026-03-31T00:00Z",
        "1 month,                  31,         2028-02-28T00:00Z, 2028-01-31T00:00Z, 2028-02-29T00:00Z",
        "1 month,                  2024-05-30, 2026-02-28T00:00Z, 2026-02-28T00:00Z, 2026-03-30T00:00Z",
        "1 quarter,                '',         2026-11-23T13:45Z, 2026-10-01T00:00Z, 2027-01-01T00:00Z",
        "1 quarter,                02-29,      2026-11-23T13:45Z, 2026-08-29T00:00Z, 2026-11-29T00:00Z",
        "1 quarter,                11-30,      2027-02-28T00:00Z, 2027-02-28T00:00Z, 2027-05-30T00:00Z",
        "1 year,                   '',         2026-11-23T13:45Z, 2026-01-01T00:00Z, 2027-01-01T00:00Z",
        "1 year,                   02-29,      2027-02-28T00:00Z, 2027-02-28T00:00Z, 2028-02-29T00:00Z",
        "1 year,                   2024-02-29, 2028-02-28T00:00Z, 2027-02-28T00:00Z, 2028-02-29T00:00Z",
        "1 month Europe/Paris,     '',         2026-11-30T23:00Z, 2026-11-30T23:00Z, 2026-12-31T23:00Z",
        "1 day Europe/Paris,       '',         2026-03-29T12:00Z, 2026-03-28T23:00Z, 2026-03-29T22:00Z",
        "1 day Europe/Paris,       '',         2026-10-25T12:00Z, 2026-10-24T22:00Z, 2026-10-25T23:00Z",
        "1 day Asia/Kathmandu,     '',         2026-11-23T18:15Z, 2026-11-23T18:15Z, 2026-11-24T18:15Z",
        "1 day America/Sao_Paulo,  '',         2018-11-04T12:00Z, 2018-11-04T03:00Z, 2018-11-05T02:00Z",
        "1 day Pacific/Apia,       '',         2011-12-30T09:59Z, 2011-12-29T10:00Z, 2011-12-30T10:00Z",
        "1 day Pacific/Apia,       '',         2011-12-30T10:00Z, 2011-12-30T10:00Z, 2011-12-31T10:00Z",
        "1 month Pacific/Apia,     30,         2011-12-30T10:00Z, 2011-12-30T10:00Z, 2012-01-29T10:00Z",
        "1 day America/St_Johns,   '',         2010-11-07T02:45Z, 2010-11-07T02:30Z, 2010-11-08T03:30Z",
        "1 day +05:30,             '',         2026-11-23T18:30Z, 2026-11-23T18:30Z, 2026-11-24T18:30Z"
    })
    void periodOfAnInstant(String text, String anchor, String instant, String start, String end) {
        CalendarPeriod period = CalendarPeriod.parse(text);
        CalendarPeriod anchored = anchor.isEmpty() ? period : period.withAnchor(anchor);
        assertThat(at(anchored.startMicros(micros(instant)))).isEqualTo(at(micros(start)));
        assertThat(at(anchored.endMicros(micros(instant)))).isEqualTo(at(micros(end)));
    }

    /** A caller moves three hours to the east when its week ends; or four, which is too far. */
    @Test
    void aWeekThatMovesLastsAtLeastSevenDaysLessThreeHours() {
        CalendarPeriod utc = CalendarPeriod.parse("1 week").movable();
        long end = micros("2026-11-23T00:00Z");
        assertThat(at(utc.withZone("+03:00").endMicros(end, end))).isEqualTo(at(micros("2026-11-29T21:00Z")));
        assertThat(at(utc.withZone("+04:00").endMicros(end, end))).isEqualTo(at(micros("2026-12-06T20:00Z")));
        assertThat(at(CalendarPeriod.parse("1 week +04:00").endMicros(end, end)))
                .as("one that cannot move")
                .isEqualTo(at(micros("2026-11-29T20:00Z")));
    }

    /** The period before the one in which Apia skipped a date is no empty one. */
    @Test
    void boundariesLeaveOutTheSkippedDate() {
        CalendarPeriod day = CalendarPeriod.parse("1 day Pacific/Apia");
        assertThat(day.boundaries(micros("2011-12-30T10:00Z")))
                .containsExactly(
                        micros("2011-12-29T10:00Z"),
                        micros("2011-12-30T10:00Z"),
                        micros("2011-12-31T10:00Z"),
                        micros("2012-01-01T10:00Z"));
    }

    private static long micros(String instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, OffsetDateTime.parse(instant));
    }

    private static Instant at(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 day",
                "1 week",
                "1 month",
                "1 quarter",
                "1 year",
                "1 month Europe/Paris",
                "1 week +05:30",
                "1 week Europe/Paris from 3",
                "1 year from 02-29"
            })
    void writesWhatItReads(String text) {
        assertThat(CalendarPeriod.parse(text)).hasToString(text).isEqualTo(CalendarPeriod.parse(text));
        assertThat(CalendarPeriod.isMeant(text)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "1 week, 7, 1 week from 7",
        "1 month, 31, 1 month from 31",
        "1 month, 01, 1 month",
        "1 month, 2024-02-29, 1 month from 29",
        "1 quarter, 05-31, 1 quarter from 05-31",
        "1 quarter, 04-30, 1 quarter from 01-30",
        "1 quarter, 2024-02-29, 1 quarter from 02-29",
        "1 year, 02-29, 1 year from 02-29",
        "1 year Europe/Paris, 2024-12-31, 1 year Europe/Paris from 12-31"
    })
    void namesTheAnchor(String text, String anchor, String expected) {
        assertThat(CalendarPeriod.parse(text).withAnchor(anchor))
                .hasToString(expected)
                .isEqualTo(CalendarPeriod.parse(text + " from " + anchor));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 months",
                "month",
                "1month",
                "1 Month",
                "1 months",
                "0 day",
                "-1 week",
                "1.5 years",
                "1  day",
                "1 day ",
                "1 week Europe/Paris from",
                "1 month from",
                "1 month from 3 Europe/Paris"
            })
    void wrongNotationIsMeantAndRefusedWithAnExample(String text) {
        assertThat(CalendarPeriod.isMeant(text)).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CalendarPeriod.parse(text))
                .withMessage("\"" + text + "\" is not a calendar period; write 1 day, week, month, quarter or year, "
                        + "optionally with a time zone and a start, such as \"1 month\" or "
                        + "\"1 month Europe/Paris from 15\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1d", "60s", "1m30s", "P1M", "PT1M", "", "1 minute", "monthly", "1 fortnight"})
    void spansAreNotMeant(String text) {
        assertThat(CalendarPeriod.isMeant(text)).isFalse();
    }

    @Test
    void unknownTimeZoneIsNamed() {
        assertThatExceptionOfType(UnknownTimeZoneException.class)
                .isThrownBy(() -> CalendarPeriod.parse("1 month Europe/Pari"))
                .withMessage("\"Europe/Pari\" is not a time zone; write one such as \"Europe/Paris\"")
                .satisfies(unknown -> assertThat(unknown.zone()).isEqualTo("Europe/Pari"));
    }

    @ParameterizedTest
    @CsvSource({
        "week, 0, '1 (Monday) to 7 (Sunday), or a date such as 2024-02-29'",
        "week, 8, '1 (Monday) to 7 (Sunday), or a date such as 2024-02-29'",
        "month, 0, '1 to 31, or a date such as 2024-02-29'",
        "month, 32, '1 to 31, or a date such as 2024-02-29'",
        "month, -1, '1 to 31, or a date such as 2024-02-29'",
        "month, 1.0, '1 to 31, or a date such as 2024-02-29'",
        "month, 02-29, '1 to 31, or a date such as 2024-02-29'",
        "month, 2023-02-29, '1 to 31, or a date such as 2024-02-29'",
        "quarter, 15, 'a month and a day such as 02-29, or a date such as 2024-02-29'",
        "year, 02-30, 'a month and a day such as 02-29, or a date such as 2024-02-29'",
        "year, 13-01, 'a month and a day such as 02-29, or a date such as 2024-02-29'",
        "year, 2024-02-29T00:00Z, 'a month and a day such as 02-29, or a date such as 2024-02-29'"
    })
    void wrongAnchorIsRefusedWithWhatTheUnitTakes(String unit, String anchor, String right) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CalendarPeriod.parse("1 " + unit).withAnchor(anchor))
                .withMessage("the anchor of a period of 1 " + unit + " must be " + right + ", was \"" + anchor + "\"");
    }

    @Test
    void dayHasNoAnchor() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CalendarPeriod.parse("1 day").withAnchor("5"))
                .withMessage("a period of 1 day has no anchor; leave out \"5\"");
    }
}
