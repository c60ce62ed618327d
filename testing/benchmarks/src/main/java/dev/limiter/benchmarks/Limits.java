package dev.limiter.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Explains what limits a figure, by the sentences of {@code what-limits.txt}. */
final class Limits {
    private static final String SEPARATOR = ": ";

    private Limits() {}

    /** Sentences by the subject of their goal. */
    static Map<String, String> bySubject() {
        Map<String, String> sentences = new LinkedHashMap<>();
        Text.resource("what-limits.txt")
                .lines()
                .filter(line -> !line.startsWith("#") && line.contains(SEPARATOR))
                .forEach(line -> {
                    int colon = line.indexOf(SEPARATOR);
                    sentences.put(line.substring(0, colon), line.substring(colon + SEPARATOR.length()));
                });
        return sentences;
    }

    /** The sentence for a row, if its goal is missed and the reason is known. */
    static Optional<String> of(Row row) {
        return row.isMissed() ? Optional.ofNullable(bySubject().get(row.goal().subject())) : Optional.empty();
    }
}
