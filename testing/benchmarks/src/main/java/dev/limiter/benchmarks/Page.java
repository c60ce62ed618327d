package dev.limiter.benchmarks;

import java.util.stream.Collectors;

/** Fills {@code page.txt} with the medians of the run: docs/benchmarks.md. */
final class Page {
    private static final int WIDTH = 97;

    private Page() {}

    static String of(Samples samples) {
        return Figure.fill(Text.resource("page.txt"), samples)
                .lines()
                .map(line -> line.startsWith("|") ? line : wrapped(line))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** The text in lines of at most {@value #WIDTH} characters; an item goes on with two blanks. */
    private static String wrapped(String text) {
        String indent = text.startsWith("- ") ? "  " : "";
        String wrapped = text.substring(indent.length())
                .replaceAll("(.{1," + (WIDTH - indent.length()) + "})(?: |$)", "\n" + indent + "$1")
                .strip();
        return indent.isEmpty() ? wrapped : "- " + wrapped;
    }
}
