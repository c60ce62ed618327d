package dev.limiter.jaxrs.internal.platform;

import java.util.regex.Pattern;

/** Makes foreign text, such as a server's message, safe for a line of a log. */
public final class LogText {
    private static final int MOST_CHARACTERS = 300;
    private static final Pattern BREAKS_LINES = Pattern.compile("[\\p{Cntrl}\\u0085\\u2028\\u2029]+");

    private LogText() {}

    /** The text without line ends, at most {@value #MOST_CHARACTERS} characters long. */
    public static String of(String text) {
        String line = BREAKS_LINES.matcher(String.valueOf(text)).replaceAll(" ");
        return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "...";
    }

    /** The whole text of the library, which has a line for each problem. */
    public static String ofAll(String lines) {
        return BREAKS_LINES.matcher(lines).replaceAll(" | ");
    }
}
