package dev.limiter.jaxrs.internal.platform;

import dev.limiter.PartitionKey;
import java.text.Normalizer;
import java.util.IntSummaryStatistics;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Makes spellings of one identity one text: {@code " ＡＬＩＣＥ@Example.org"} is
 * {@code "alice@example.org"}.
 */
public final class CaseFolding {
    /** The most characters that compose one. */
    private static final int SHRINKS = 4;

    private static final Pattern DOTTED = Pattern.compile("i\\p{M}+");

    private CaseFolding() {}

    /**
     * Removes blanks around the text, composes compatibility forms, cuts what does not count in a
     * key, and makes letters small. Blanks go first: as many as count would hide the rest.
     *
     * <p>Letters become small by way of large ones, since {@code equalsIgnoreCase} takes texts
     * for equal that are so in either case: a dotless i is an i, and so is one with another dot.
     */
    public static String fold(String text) {
        String read = first(SHRINKS * PartitionKey.MAX_VALUE_LENGTH, stripped(text));
        String counted = first(PartitionKey.MAX_VALUE_LENGTH, normalized(read));
        String large = counted.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT);
        StringBuilder small = new StringBuilder(large.length());
        large.codePoints().map(Character::toLowerCase).forEach(small::appendCodePoint);
        String dotless =
                DOTTED.matcher(normalized(small)).replaceAll(i -> i.group().replace("\u0307", ""));
        return stripped(normalized(dotless));
    }

    private static String first(int most, String text) {
        return text.substring(0, Math.min(text.length(), most));
    }

    private static String normalized(CharSequence text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    private static String stripped(String text) {
        IntSummaryStatistics kept = IntStream.range(0, text.length())
                .filter(at -> !isBlank(text.charAt(at)))
                .summaryStatistics();
        return kept.getCount() == 0 ? "" : text.substring(kept.getMin(), kept.getMax() + 1);
    }

    /** What {@code trim} removes, and each blank of Unicode. */
    private static boolean isBlank(char c) {
        return Character.isISOControl(c) || Character.isSpaceChar(c);
    }
}
