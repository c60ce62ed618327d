package dev.limiter.example;

import java.time.Duration;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a mark among those of its source, as Redis writes it for entries of streams:
 * {@code 1763793000123-0}.
 *
 * @param millis when it was recorded, in ms since 1970
 * @param sequence counts those of one millisecond
 */
record MarkId(long millis, long sequence) implements Comparable<MarkId> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,16})-(\\d{1,9})");
    private static final Comparator<MarkId> ORDER =
            Comparator.comparingLong(MarkId::millis).thenComparingLong(MarkId::sequence);

    /** @throws IllegalArgumentException if it is none */
    static MarkId parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "since must be what an earlier answer called last, such as 1763793000123-0");
        }
        return new MarkId(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    /** Nothing that was recorded within {@code span} before {@code nowMicros} is before it. */
    static MarkId before(long nowMicros, Duration span) {
        return new MarkId(nowMicros / 1_000 - span.toMillis(), 0);
    }

    /** The next id, which comes after this one whatever the clock does. */
    MarkId next(long nowMillis) {
        return nowMillis > millis ? new MarkId(nowMillis, 0) : new MarkId(millis, sequence + 1);
    }

    @Override
    public int compareTo(MarkId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return millis + "-" + sequence;
    }
}
