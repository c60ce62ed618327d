package dev.limiter.jaxrs.internal.platform;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Suggests a known word for a mistyped one: the word that is the fewest edits away, in capital or
 * small letters.
 */
public final class Suggestions {
    private static final int FAR = 3;

    private Suggestions() {}

    /**
     * A half sentence: {@code did you mean "user"?}, or the list of known words if none is near.
     */
    public static String suggest(String word, List<String> known) {
        return of(word, known)
                .filter(candidate -> isNear(word, candidate))
                .map(candidate -> "did you mean \"" + candidate + "\"?")
                .orElseGet(() -> known.isEmpty() ? "there is none" : "known: " + String.join(", ", known));
    }

    /**
     * The known word that is the fewest edits away, the first of equally near ones; empty if
     * none is known.
     */
    public static Optional<String> of(String word, Collection<String> known) {
        return known.stream().min(Comparator.comparingInt(candidate -> edits(word, candidate)));
    }

    /** Whether the one may be a misspelling of the other. */
    public static boolean isNear(String word, String candidate) {
        return edits(word, candidate) < FAR;
    }

    /** The same for short words, of which no more than half may differ. */
    public static boolean isNearForItsLength(String word, String candidate) {
        return isNear(word, candidate) && 2 * edits(word, candidate) <= Math.max(word.length(), candidate.length());
    }

    /** Whether no more than a fifth differs, as in the plural of a long word. */
    public static boolean isMostly(String word, String candidate) {
        return 5 * edits(word, candidate) <= Math.max(word.length(), candidate.length());
    }

    /** Levenshtein's distance without regard to case, one row at a time. */
    private static int edits(String word, String candidate) {
        String a = word.toLowerCase(Locale.ROOT);
        String b = candidate.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replace, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
