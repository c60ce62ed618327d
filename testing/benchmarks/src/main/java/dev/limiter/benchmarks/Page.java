package dev.limiter.benchmarks;

import java.util.stream.Collectors;

/** Fills {@code page.txt} with the medians of the run: docs/benchmarks.md. */
final class Page {
    private Page() {}

    static String of(Samples samples) {
        return Figure.fill(Text.resource("page.txt"), samples)
                .lines()
                .map(line -> line.startsWith("|") ? line : Report.wrapped(line))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
