package dev.limiter.local.plots;

import java.util.List;
import java.util.stream.LongStream;

/**
 * When requests come, in ms from the beginning of a plot.
 *
 * @param file the plot's name
 * @param title what it shows, in words
 */
record Traffic(String file, String title, List<Long> arrivalsMillis) {

    static List<Traffic> all() {
        return List.of(
                new Traffic("steady", "Two requests a second, twice the limit", every(500, 0, 36_000)),
                new Traffic(
                        "bursts",
                        "25 requests within a second, at 2 s, at 15 s and at 28 s",
                        together(List.of(
                                every(40, 2_000, 3_000), every(40, 15_000, 16_000), every(40, 28_000, 29_000)))),
                new Traffic(
                        "boundary",
                        "20 requests in the second before a window ends, 20 in the second after",
                        together(List.of(every(50, 19_000, 20_000), every(50, 20_000, 21_000)))));
    }

    private static List<Long> every(long stepMillis, long fromMillis, long untilMillis) {
        return LongStream.iterate(fromMillis, at -> at < untilMillis, at -> at + stepMillis)
                .boxed()
                .toList();
    }

    private static List<Long> together(List<List<Long>> parts) {
        return parts.stream().flatMap(List::stream).toList();
    }
}
