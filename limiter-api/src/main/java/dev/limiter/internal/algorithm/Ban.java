package dev.limiter.internal.algorithm;

import dev.limiter.Policy;
import dev.limiter.internal.settings.DurationNotation;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * For how long a partition is closed that goes on asking: {@code "15m after 20"}, by the 20th
 * rejection within a window.
 *
 * @param span from 1 s to {@link Policy#LONGEST_CLOSING}
 * @param rejections from 1 to a million
 */
public record Ban(Duration span, int rejections) {
    private static final Pattern WRITTEN = Pattern.compile("(\\S+) after ([1-9]\\d{0,5}|1000000)");
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /**
     * {@return the ban that a text says}
     *
     * @param text as written
     * @throws IllegalArgumentException if it cannot be read, with what would be right
     */
    public static Ban parse(String text) {
        Matcher written = WRITTEN.matcher(text.strip());
        if (!written.matches()) {
            throw new IllegalArgumentException("\"" + text
                    + "\" is not a ban; write its span and the number of rejections, such as \"15m after 20\"");
        }
        Duration span = DurationNotation.parse(written.group(1));
        if (span.compareTo(SHORTEST) < 0 || span.compareTo(Policy.LONGEST_CLOSING) > 0) {
            throw new IllegalArgumentException("a ban must last from 1s to "
                    + DurationNotation.format(Policy.LONGEST_CLOSING) + ", was \"" + text + '"');
        }
        return new Ban(span, Integer.parseInt(written.group(2)));
    }

    @Override
    public String toString() {
        return DurationNotation.format(span) + " after " + rejections;
    }
}
