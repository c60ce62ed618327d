package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Slices that are measured together: pivot, other, pivot, next other, pivot. Each other is compared
 * with the slices of the pivot beside it.
 */
record Block<T>(Contender<T> pivot, List<Contender<T>> others) {
    private static final int MOST = 4;

    @SafeVarargs
    @SuppressWarnings("varargs")
    static <T> Block<T> of(Contender<T> pivot, Contender<T>... others) {
        return new Block<>(pivot, List.of(others));
    }

    /** Blocks that are short, so that the machine is hardly another one at their end. */
    static <T> List<Block<T>> chain(Contender<T> pivot, List<Contender<T>> others) {
        List<Block<T>> blocks = new ArrayList<>();
        for (int from = 0; from < others.size(); from += MOST) {
            blocks.add(new Block<>(pivot, others.subList(from, Math.min(from + MOST, others.size()))));
        }
        return blocks;
    }

    /** Without the others that are there again. */
    Block<T> once() {
        return new Block<>(pivot, others.stream().distinct().toList());
    }

    Stream<Contender<T>> contenders() {
        return Stream.concat(Stream.of(pivot), others.stream());
    }

    String text() {
        return contenders().map(Contender::name).collect(Collectors.joining(" | "));
    }

    Duration leadIn() {
        return contenders().map(Contender::leadIn).max(Duration::compareTo).orElseThrow();
    }
}
