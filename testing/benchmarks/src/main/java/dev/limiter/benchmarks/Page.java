package dev.limiter.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Fills {@code page.txt} with the medians of the run: docs/benchmarks.md. */
final class Page {
    private static final String MANY = Series.manyKeys(Crew.PLATFORM);
    private static final String MANY_VIRTUAL = Series.manyKeys(Crew.VIRTUAL);
    private static final String HOT = Series.hotKey(Crew.PLATFORM);
    private static final String HOT_VIRTUAL = Series.hotKey(Crew.VIRTUAL);

    private final Samples samples;

    private Page(Samples samples) {
        this.samples = samples;
    }

    static String of(Samples samples) {
        Page page = new Page(samples);
        String text = Text.resource("page.txt");
        for (Map.Entry<String, String> figure : page.figures().entrySet()) {
            text = text.replace("{" + figure.getKey() + "}", figure.getValue());
        }
        return text.lines()
                .map(line -> line.startsWith("|") ? line : Report.wrapped(line))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private Map<String, String> figures() {
        String script = Who.byHand(Who.GCRA);
        String log = Who.log(1_000);
        return Map.ofEntries(
                Map.entry("server", server()),
                Map.entry("check", times(1 / ratio(Series.ONE_CORE, Who.GET, List.of(Who.GCRA), Metric.NANOS))),
                Map.entry("script", times(1 / ratio(Series.ONE_CORE, Who.GET, List.of(script), Metric.NANOS))),
                Map.entry("gets", times(ratio(MANY, Who.GCRA, List.of(Who.GET), Metric.CHECKS))),
                Map.entry("peers", peers()),
                Map.entry("hot", times(ratio(HOT_VIRTUAL, Who.GCRA, Who.peers(samples, HOT_VIRTUAL), Metric.CHECKS))),
                Map.entry("rejected", times(median(Series.ALONE, Who.rejectedBy(1), Metric.CHECKS) / 1e6)),
                Map.entry(
                        "cpu429",
                        times(ratio(Series.HTTP, HttpLoad.REJECTED, List.of(HttpLoad.UNPROTECTED), Metric.CPU))),
                Map.entry("key", Report.figure(median(Series.MEMORY, Who.GCRA, Metric.BYTES))),
                Map.entry("unit", times(median(Series.MEMORY, log, Metric.BYTES))),
                Map.entry(
                        "unlimited",
                        times(ratio(Series.HTTP, HttpLoad.UNPROTECTED, List.of(HttpLoad.WITHOUT), Metric.REQUESTS))),
                Map.entry(
                        "unlimitedCpu",
                        times(ratio(Series.HTTP, HttpLoad.UNPROTECTED, List.of(HttpLoad.WITHOUT), Metric.CPU))),
                Map.entry(
                        "hand",
                        times(ratio(Series.HTTP, HttpLoad.LIMITED, List.of(HttpLoad.BY_HAND), Metric.REQUESTS))),
                Map.entry(
                        "handAlone",
                        times(ratio(Series.HTTP_ALONE, HttpLoad.LIMITED, List.of(HttpLoad.BY_HAND), Metric.REQUESTS))),
                Map.entry("alone", perSecond(Series.HTTP, HttpLoad.BY_HAND, Metric.REDIS_CPU)),
                Map.entry("batched", perSecond(Series.HTTP, HttpLoad.LIMITED, Metric.REDIS_CPU)),
                Map.entry("oneKey", thousands(median(HOT_VIRTUAL, Who.GCRA, Metric.CHECKS))));
    }

    private String server() {
        return String.join(
                "\n",
                "| | one thread, µs | 64 threads, 10,000 keys, µs | 64 threads, one key, µs |",
                "|---|---|---|---|",
                "| `GCRA` | " + micros(Series.ONE_CORE, Who.GCRA) + " | " + micros(MANY, Who.GCRA) + " | "
                        + micros(HOT, Who.GCRA) + " |",
                "| `FIXED_WINDOW` | " + micros(Series.ONE_CORE, Who.FIXED) + " | " + micros(MANY, Who.FIXED) + " | "
                        + micros(HOT, Who.FIXED) + " |",
                "| `SLIDING_LOG` | " + micros(Series.ONE_CORE, Who.log(1_000)) + " | " + micros(MANY, Who.LOG) + " | |",
                "| five `GCRA` limits of one request | " + micros(Series.ONE_CORE, Who.FIVE) + " | | |");
    }

    private String micros(String series, String who) {
        return Report.figure(median(series, who, Metric.SERVER_MICROS));
    }

    private String peers() {
        return Who.peers(samples, MANY_VIRTUAL).stream()
                .map(peer -> peer + " " + times(ratio(MANY_VIRTUAL, Who.GCRA, List.of(peer), Metric.CHECKS)))
                .collect(Collectors.joining(", "));
    }

    private String perSecond(String series, String who, String metric) {
        return thousands(1e6 / median(series, who, metric));
    }

    private static String thousands(double figure) {
        return Double.isNaN(figure) ? "–" : String.format(Locale.ROOT, "%,d", Math.round(figure / 1e3) * 1_000);
    }

    private double ratio(String series, String who, List<String> references, String metric) {
        return medians(references.stream()
                        .mapToDouble(other -> Quartiles.median(samples.ratios(series, who, other, metric))))
                .min()
                .orElse(Double.NaN);
    }

    private double median(String series, String who, String metric) {
        return Quartiles.median(samples.of(series, who, metric));
    }

    private static DoubleStream medians(DoubleStream all) {
        return all.filter(median -> !Double.isNaN(median));
    }

    private static String times(double ratio) {
        return Double.isNaN(ratio) ? "–" : String.format(Locale.ROOT, ratio >= 10 ? "%.0f" : "%.2f", ratio);
    }
}
