package dev.limiter.jaxrs.internal.platform;

import dev.limiter.PartitionKey;
import java.text.Normalizer;
import java.util.Locale;

/**
 * Makes spellings of one identity one text: {@code " ＡＬＩＣＥ@Example.org"} is
 * {@code "alice@example.org"}.
 */
public final class CaseFolding {
    private CaseFolding() {}

    /**
     * Composes compatibility forms, makes letters small, and removes blanks around the text. It
     * normalizes again after lower case, which can leave a letter and its dot apart. It reads no
     * more characters than count in a key.
     */
    public static String fold(String text) {
        String counted = text.substring(0, Math.min(text.length(), PartitionKey.MAX_VALUE_LENGTH));
        String small = Normalizer.normalize(counted, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        // A large sigma becomes one small letter at the end of a word and another elsewhere;
        // both are spellings of it.
        return Normalizer.normalize(small.replace('\u03c2', '\u03c3'), Normalizer.Form.NFKC)
                .strip();
    }
}
