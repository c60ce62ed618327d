package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a run has shown, as tables of comma-separated values; the page for readers is {@link Page}. */
final class Report {
    /** Of all calls of a competitor that is to admit them. */
    private static final double MOST_PERCENT = 1;

    private final Environment environment;
    private final Mode mode;
    private final Duration took;
    private final Samples samples;

    Report(Environment environment, Mode mode, Duration took, Samples samples) {
        this.environment = environment;
        this.mode = mode;
        this.took = took;
        this.samples = samples;
    }

    /** What was not as expected: remarks, competitors that did not answer, and goals that fail. */
    List<String> failures() {
        List<String> failures = new ArrayList<>(samples.remarks());
        for (String series : mode == Mode.SMOKE ? Set.<String>of() : samples.series()) {
            samples.competitors(series).stream()
                    .filter(who -> mean(series, who, Metric.UNANSWERED) > MOST_PERCENT
                            || mean(series, who, Metric.REJECTED) > MOST_PERCENT && !Who.maySpend(who))
                    .forEach(who -> failures.add("calls were not admitted, or not answered: " + series + ", " + who));
        }
        Goal.all().stream()
                .filter(goal -> mode == Mode.SMOKE ? goal.measured(samples).isEmpty() : goal.fails(samples))
                .forEach(goal -> failures.add(goal.row(samples).toString()));
        return failures;
    }

    private double mean(String series, String who, String metric) {
        return Arrays.stream(samples.of(series, who, metric)).average().orElse(0);
    }

    /** Where and how it was measured, and what was not as expected. */
    String conditions() {
        int blocks = total(Metric.BLOCKS);
        List<List<String>> rows = new ArrayList<>(List.of(
                List.of("condition", "value"),
                List.of("date", environment.date().toString()),
                List.of(
                        "command",
                        "mvn -Pbenchmarks -pl testing/benchmarks -am verify"
                                + (mode == Mode.WHOLE ? "" : " -Dbenchmarks=" + mode)),
                List.of("took", took.toSeconds() + " s"),
                List.of(
                        "dropped",
                        (blocks - total(Metric.KEPT)) + " of " + blocks
                                + " blocks: a fixed load was faster or slower by more than " + mode.factor()
                                + " than the median of its series"),
                List.of(
                        "machine",
                        environment.cores() + " cores, " + environment.processor() + ", " + environment.memory() + ", "
                                + environment.system() + "; client, load and server together"),
                List.of("Redis", environment.redis()),
                List.of("JDK", environment.jdk().version()),
                List.of(
                        "JDK of the virtual threads",
                        environment.virtualThreads().map(Jdk::version).orElse("not run: no JDK 21 or newer")),
                List.of(
                        "Spring Cloud Gateway",
                        "the script in the JAR of " + Environment.versionOf("spring-cloud-gateway-server-webflux")
                                + ", through Jedis")));
        Stream.of("jedis", "jersey-server", "jetty-server")
                .forEach(library -> rows.add(List.of(library, Environment.versionOf(library))));
        environment.peers().forEach(peer -> rows.add(List.of(peer.name(), peer.version())));
        samples.remarks().forEach(remark -> rows.add(List.of("not as expected", remark)));
        return text(rows);
    }

    /**
     * Every goal beside its figure. A ratio is that of a slice to the slices beside it: A B A. The
     * median decides. Figures are rounded away from the goal.
     */
    String goals() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("#", "what", "goal", "median", "lower quartile", "upper quartile", "verdict", "how", "limit"));
        Goal.all().forEach(goal -> rows.add(goal.row(samples)));
        return text(rows);
    }

    /** All figures. */
    String figures() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("series", "who", "metric", "median", "lower quartile", "upper quartile"));
        each((series, who, metric) -> Quartiles.of(samples.of(series, who, metric))
                .ifPresent(spread -> rows.add(List.of(
                        series,
                        who,
                        metric,
                        Figure.text(spread.median()),
                        Figure.text(spread.lower()),
                        Figure.text(spread.upper())))));
        return text(rows);
    }

    /** An earlier build in the same run: medians, and the ratio of this build to it. */
    String beforeAndAfter() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("series", "who", "metric", "before", "after", "ratio", "lower quartile", "upper quartile"));
        each((series, who, metric) -> Quartiles.of(samples.ratios(series, who, Who.before(who), metric))
                .ifPresent(ratio -> rows.add(List.of(
                        series,
                        who,
                        metric,
                        Figure.text(Quartiles.median(samples.of(series, Who.before(who), metric))),
                        Figure.text(Quartiles.median(samples.of(series, who, metric))),
                        Figure.text(ratio.median()),
                        Figure.text(ratio.lower()),
                        Figure.text(ratio.upper())))));
        return text(rows);
    }

    private interface Row {
        void add(String series, String who, String metric);
    }

    private void each(Row row) {
        for (String series : samples.series()) {
            for (String who : samples.competitors(series)) {
                samples.metrics(series).forEach(metric -> row.add(series, who, metric));
            }
        }
    }

    private int total(String metric) {
        return (int) samples.series().stream()
                .flatMapToDouble(series -> Arrays.stream(samples.of(series, Who.FIXED_LOAD, metric)))
                .sum();
    }

    /** Comma-separated values (RFC 4180), but for the ends of lines. */
    private static String text(List<List<String>> rows) {
        return rows.stream()
                .map(row -> row.stream()
                        .map(cell -> cell.matches("[^,\"\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"')
                        .collect(Collectors.joining(",", "", "\n")))
                .collect(Collectors.joining());
    }
}
