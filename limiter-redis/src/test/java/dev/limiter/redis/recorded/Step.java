package dev.limiter.redis.recorded;

import dev.limiter.internal.settings.DurationNotation;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A call with its answer: {@code +1500000 acquire 2 -> admitted ...}. A new step may say its time
 * as {@code +1s500ms}, or as {@code +retry-1}: a microsecond before the last answer's retry.
 *
 * @param later µs after the step before; once it is recorded, a number
 * @param times how often it is called, each time so much later; the last answer is kept
 */
record Step(String later, int times, String call, String answer) {
    private static final Pattern NOTATION = Pattern.compile("\\+(\\S+) (?:x(\\d+) )?(.*?)(?: -> (.*))?");
    private static final Pattern SPAN_OF_ANSWER = Pattern.compile("(retry|next|reset)(-1)?");

    static Step read(String line) {
        Matcher matcher = NOTATION.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no step: " + line);
        }
        int times = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
        return new Step(matcher.group(1), times, matcher.group(3), matcher.group(4) == null ? "" : matcher.group(4));
    }

    /** @param last the answer to the step before */
    long laterMicros(String last) {
        if (later.matches("-?\\d+")) {
            return Long.parseLong(later);
        }
        Matcher span = SPAN_OF_ANSWER.matcher(later);
        if (!span.matches()) {
            return DurationNotation.parse(later).toNanos() / 1_000;
        }
        Matcher told = Pattern.compile(span.group(1) + "=([1-9]\\d*)").matcher(last);
        if (!told.find()) {
            throw new IllegalArgumentException(
                    line() + " comes after \"" + last + "\", which tells no " + span.group(1));
        }
        return Long.parseLong(told.group(1)) - (span.group(2) == null ? 0 : 1);
    }

    Step answered(long laterMicros, String said) {
        return new Step(Long.toString(laterMicros), times, call, said);
    }

    String line() {
        return '+'
                + later
                + ' '
                + (times > 1 ? "x" + times + ' ' : "")
                + call
                + (answer.isEmpty() ? "" : " -> " + answer);
    }
}
