package dev.limiter.internal.settings;

import static java.time.temporal.ChronoUnit.DAYS;
import static java.time.temporal.ChronoUnit.HOURS;
import static java.time.temporal.ChronoUnit.MICROS;
import static java.time.temporal.ChronoUnit.MILLIS;
import static java.time.temporal.ChronoUnit.MINUTES;
import static java.time.temporal.ChronoUnit.SECONDS;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How spans of time are written in annotations and configuration: {@code 500ms}, {@code 10s},
 * {@code 1m30s}, {@code PT1M}.
 */
public final class DurationNotation {
    private static final List<String> UNITS = List.of("d", "h", "m", "s", "ms", "us");
    private static final List<ChronoUnit> SPANS = List.of(DAYS, HOURS, MINUTES, SECONDS, MILLIS, MICROS);
    /** At most twelve digits, so that no sum overflows: a duration holds far more days. */
    private static final Pattern AMOUNT_AND_UNIT = Pattern.compile("(\\d{1,12})(d|h|ms|us|m|s)");

    private DurationNotation() {}

    /**
     * Reads amounts with the units {@code d h m s ms us}, each at most once and from large to
     * small, or an ISO-8601 duration.
     *
     * @param text what was written
     * @return the span
     * @throws IllegalArgumentException if the text is neither; a bare number has no unit and is
     *     an error
     */
    public static Duration parse(String text) {
        if (text.startsWith("P")) {
            try {
                return Duration.parse(text);
            } catch (DateTimeParseException notIso) {
                throw notADuration(text);
            }
        }
        Matcher matcher = AMOUNT_AND_UNIT.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        int lastUnit = -1;
        while (end < text.length()) {
            if (!matcher.find(end) || matcher.start() != end) {
                throw notADuration(text);
            }
            int unit = UNITS.indexOf(matcher.group(2));
            if (unit <= lastUnit) {
                throw notADuration(text);
            }
            sum = sum.plus(Long.parseLong(matcher.group(1)), SPANS.get(unit));
            lastUnit = unit;
            end = matcher.end();
        }
        if (end == 0) {
            throw notADuration(text);
        }
        return sum;
    }

    /**
     * Writes a duration so that {@link #parse} reads it: {@code 90s} as {@code 1m30s}. Fractions
     * of a microsecond are dropped.
     *
     * @param duration to be written
     * @return the text; {@code 0s} for none
     */
    public static String format(Duration duration) {
        StringBuilder text = new StringBuilder();
        Duration left = duration;
        for (int i = 0; i < SPANS.size(); i++) {
            long amount = left.dividedBy(SPANS.get(i).getDuration());
            left = left.minus(amount, SPANS.get(i));
            text.append(amount > 0 ? amount + UNITS.get(i) : "");
        }
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static IllegalArgumentException notADuration(String text) {
        return new IllegalArgumentException(
                "\"" + text + "\" is not a duration; write an amount and a unit, such as \"60s\" or \"1m\"");
    }
}
