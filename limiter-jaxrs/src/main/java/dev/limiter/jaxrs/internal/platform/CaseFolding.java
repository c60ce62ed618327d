package dev.limiter.jaxrs.internal.platform;

import dev.limiter.PartitionKey;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Makes spellings of one identity one text: {@code " ＡＬＩＣＥ@Example.org"} is
 * {@code "alice@example.org"}.
 */
public final class CaseFolding {
    private static final Pattern DOTTED = Pattern.compile("i\\p{M}+");

    private CaseFolding() {}

    /**
     * Removes blanks around the text, cuts what does not count in a key, composes compatibility
     * forms, and makes letters small. Blanks go first: as many as count would hide the rest.
     *
     * <p>Letters become small by way of large ones, since {@code equalsIgnoreCase} takes texts
     * for equal that are so in either case: a dotless i is an i, and so is one with another dot.
     */
    public static String fold(String text) {
        String whole = stripped(text);
        String counted = normalized(whole.substring(0, Math.min(whole.length(), PartitionKey.MAX_VALUE_LENGTH)));
        String large = counted.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT);
        StringBuilder small = new StringBuilder(large.length());
        large.codePoints().map(Character::toLowerCase).forEach(small::appendCodePoint);
        String dotless =
                DOTTED.matcher(normalized(small)).replaceAll(i -> i.group().replace("\u0307", ""));
        return stripped(normalized(dotless));
    }

    private static String normalized(CharSequence text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    private static String stripped(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (from < to && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    /** What {@code trim} removes, and each blank of Unicode. */
    private static boolean isBlank(char c) {
        return Character.isISOControl(c) || Character.isSpaceChar(c);
    }
}
