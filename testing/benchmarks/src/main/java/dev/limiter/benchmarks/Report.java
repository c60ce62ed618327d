package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Writes docs/benchmarks/last-run.md. */
final class Report {
    private static final String COMMAND = "mvn -Pbenchmarks -pl testing/benchmarks -am verify";
    private static final int WIDTH = 97;
    /** Of all calls of a competitor that is to admit them. */
    private static final double MOST_PERCENT = 1;

    private static final List<String> COLUMNS = List.of(
            Metric.NANOS,
            Metric.CHECKS,
            Metric.REQUESTS,
            Metric.CPU,
            Metric.REDIS_CPU,
            Metric.P50,
            Metric.P99,
            Metric.SERVER_MICROS,
            Metric.CALLS,
            Metric.TRIPS,
            Metric.ALLOCATED,
            Metric.BYTES,
            Metric.REJECTED,
            Metric.UNANSWERED,
            Metric.BLOCKS,
            Metric.KEPT);

    private static final List<String> COMPARED =
            List.of(Metric.NANOS, Metric.CHECKS, Metric.ALLOCATED, Metric.REQUESTS, Metric.CPU);

    private final Environment environment;
    private final Mode mode;
    private final Duration took;
    private final Samples samples;
    private final List<Row> rows;
    private final List<String> lines = new ArrayList<>();

    Report(Environment environment, Mode mode, Duration took, Samples samples) {
        this.environment = environment;
        this.mode = mode;
        this.took = took;
        this.samples = samples;
        this.rows = Goals.of(samples);
    }

    /** What was not as expected: goals that fail, competitors that did not answer, and remarks. */
    List<String> failures() {
        Stream<String> wrong = (mode == Mode.SMOKE ? Set.<String>of() : samples.series())
                .stream()
                        .flatMap(series -> samples.competitors(series).stream()
                                .filter(who -> mean(series, who, Metric.UNANSWERED) > MOST_PERCENT
                                        || mean(series, who, Metric.REJECTED) > MOST_PERCENT && !Who.maySpend(who))
                                .map(who -> "calls were not admitted, or not answered: " + series + ", " + who));
        Stream<String> missed = rows.stream().filter(Row::fails).map(row -> row.markdown(null));
        return Stream.of(samples.remarks().stream(), wrong, missed)
                .flatMap(Function.identity())
                .toList();
    }

    private double mean(String series, String who, String metric) {
        return Arrays.stream(samples.of(series, who, metric)).average().orElse(0);
    }

    String markdown() {
        lines.clear();
        head();
        goals();
        beforeAndAfter();
        tables();
        return String.join("\n", lines) + "\n";
    }

    private void head() {
        add(
                "# Benchmarks: the last run",
                "",
                wrapped(
                        "Made by `benchmarks`, not by hand; the next run overwrites it. The page for readers is"
                                + " [benchmarks](../benchmarks.md): `GuideTest` refuses a figure in its tables that is not here."),
                "");
        add("| | |", "|---|---|");
        add("| date | " + environment.date() + " |");
        add("| command | `" + COMMAND + (mode == Mode.WHOLE ? "" : " -Dbenchmarks=" + mode) + "`, " + took.toSeconds()
                + " s |");
        add("| dropped | " + (total(Metric.BLOCKS) - total(Metric.KEPT)) + " of " + total(Metric.BLOCKS)
                + " blocks: a fixed load was faster or slower by more than "
                + mode.calibration().factor() + " than the median of its series |");
        add("| machine | " + environment.cores() + " cores, " + environment.processor() + ", " + environment.memory()
                + ", " + environment.system() + "; client, load and server together |");
        add("| Redis | " + environment.redis() + " |");
        add("| JDK | " + environment.jdk().version() + " |");
        add("| JDK of the virtual threads | "
                + environment.virtualThreads().map(Jdk::version).orElse("**not run: no JDK 21 or newer**") + " |");
        for (Peer peer : environment.peers()) {
            add("| " + peer.name() + " | " + peer.version() + " |");
        }
        add("| Spring Cloud Gateway | the script in the JAR of "
                + Environment.versionOf("spring-cloud-gateway-server-webflux") + ", through Jedis |");
        add(
                "| Jedis, Jersey, Jetty | " + Environment.versionOf("jedis") + ", "
                        + Environment.versionOf("jersey-server") + ", " + Environment.versionOf("jetty-server") + " |",
                "");
        if (!samples.remarks().isEmpty()) {
            add("**Not as expected:**", "");
            samples.remarks().forEach(remark -> add(wrapped("- " + remark)));
            add("");
        }
    }

    private void goals() {
        add(
                "## Goals",
                "",
                wrapped(
                        "A ratio is that of a slice to the slices beside it: A B A. The columns show the quartiles of all"
                                + " ratios, **the median** between them. The median decides. Figures are rounded away from"
                                + " the goal. An empty last cell is as the one above."),
                "",
                "| # | what | goal | measured | | how |",
                "|---|---|---|---|---|---|");
        for (int i = 0; i < rows.size(); i++) {
            add(rows.get(i).markdown(i == 0 ? null : rows.get(i - 1)));
        }
        add("");
        Map<String, List<String>> subjects = new LinkedHashMap<>();
        rows.forEach(row -> Limits.of(row)
                .ifPresent(sentence -> subjects.computeIfAbsent(sentence, s -> new ArrayList<>())
                        .add(row.goal().subject())));
        subjects.forEach((sentence, of) -> add(wrapped("- " + String.join("; ", of) + ": " + sentence)));
        add("");
    }

    /** Only if an earlier build was named. */
    private void beforeAndAfter() {
        if (ClassPaths.before(ClassPaths.present()).isEmpty()) {
            return;
        }
        add(
                "## Before and after",
                "",
                "An earlier build in the same run. Figures are medians; a ratio is after against before.",
                "",
                "| series | what | metric | before | after | ratio |",
                "|---|---|---|---|---|---|");
        for (String series : samples.series()) {
            for (String who : samples.competitors(series)) {
                for (String metric : COMPARED) {
                    Quartiles.of(samples.ratios(series, who, Who.before(who), metric))
                            .ifPresent(ratio -> add("| " + series + " | " + who + " | " + metric + " | "
                                    + median(series, Who.before(who), metric) + " | " + median(series, who, metric)
                                    + " | " + ratio(ratio) + " |"));
                }
            }
        }
        add("");
    }

    private static String ratio(Quartiles ratio) {
        return String.format(Locale.ROOT, "%.2f / **%.2f** / %.2f", ratio.lower(), ratio.median(), ratio.upper());
    }

    private String median(String series, String who, String metric) {
        return figure(Quartiles.median(samples.of(series, who, metric)));
    }

    private int total(String metric) {
        return samples.series().stream()
                .mapToInt(series -> total(series, metric))
                .sum();
    }

    private int total(String series, String metric) {
        return (int) Arrays.stream(samples.of(series, Who.FIXED_LOAD, metric)).sum();
    }

    private void tables() {
        add("## Raw figures", "", "Medians, in brackets the lower and the upper quartile where they differ.", "");
        for (String series : samples.series()) {
            table(series);
        }
    }

    private void table(String series) {
        Set<String> competitors = samples.competitors(series);
        Set<String> columns = new LinkedHashSet<>(COLUMNS);
        columns.removeIf(metric ->
                competitors.stream().allMatch(competitor -> samples.of(series, competitor, metric).length == 0));
        add("### " + series, "", "| | " + String.join(" | ", columns) + " |", "|---|" + "---|".repeat(columns.size()));
        for (String competitor : competitors) {
            StringBuilder line = new StringBuilder("| " + competitor + " |");
            for (String metric : columns) {
                line.append(' ')
                        .append(cell(samples.of(series, competitor, metric)))
                        .append(" |");
            }
            add(line.toString());
        }
        add("");
    }

    private static String cell(double[] figures) {
        return Quartiles.of(figures).map(Report::cell).orElse("");
    }

    private static String cell(Quartiles quartiles) {
        if (quartiles.upper() == 0) {
            return "0";
        }
        String lower = figure(quartiles.lower());
        String upper = figure(quartiles.upper());
        return figure(quartiles.median()) + (lower.equals(upper) ? "" : " (" + lower + "–" + upper + ")");
    }

    static String figure(double figure) {
        if (Double.isNaN(figure)) {
            return "–";
        }
        if (figure >= 100) {
            return String.format(Locale.ROOT, "%,.0f", figure);
        }
        return String.format(Locale.ROOT, figure >= 10 ? "%.1f" : "%.2f", figure);
    }

    /**
     * The text in lines of at most {@value #WIDTH} characters; a list item goes on with two
     * blanks.
     */
    static String wrapped(String text) {
        String indent = text.startsWith("- ") ? "  " : "";
        StringBuilder wrapped = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ")) {
            if (column > 0 && column + 1 + word.length() > WIDTH) {
                wrapped.append('\n').append(indent);
                column = indent.length();
            } else if (column > 0) {
                wrapped.append(' ');
                column++;
            }
            wrapped.append(word);
            column += word.length();
        }
        return wrapped.toString();
    }

    private void add(String... text) {
        lines.addAll(List.of(text));
    }
}
