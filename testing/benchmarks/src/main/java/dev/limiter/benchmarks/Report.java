package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Writes docs/benchmarks/last-run.md. */
final class Report {
    private static final String HEAD = """
            # Benchmarks: the last run

            Made by `benchmarks`, not by hand; the next run overwrites it. The page for readers is
            [benchmarks](../benchmarks.md): `GuideTest` refuses a figure in its tables that is not here.

            | | |
            |---|---|
            | date | %s |
            | command | `mvn -Pbenchmarks -pl testing/benchmarks -am verify%s`, %d s |
            | dropped | %d of %d blocks: a fixed load was faster or slower by more than %s than the median of its series |
            | machine | %d cores, %s, %s, %s; client, load and server together |
            | Redis | %s |
            | JDK | %s |
            | JDK of the virtual threads | %s |
            | Spring Cloud Gateway | the script in the JAR of %s, through Jedis |
            | Jedis, Jersey, Jetty | %s, %s, %s |
            """;

    private static final String GOALS = """
            ## Goals

            A ratio is that of a slice to the slices beside it: A B A. The columns show the quartiles of all
            ratios, **the median** between them. The median decides. Figures are rounded away from the goal.
            An empty last cell is as the one above.

            | # | what | goal | measured | | how |
            |---|---|---|---|---|---|""";

    private static final String BEFORE = """
            ## Before and after

            An earlier build in the same run. Figures are medians; a ratio is after against before.

            | series | what | metric | before | after | ratio |
            |---|---|---|---|---|---|""";

    private static final int WIDTH = 97;
    /** Of all calls of a competitor that is to admit them. */
    private static final double MOST_PERCENT = 1;

    private final Environment environment;
    private final Mode mode;
    private final Duration took;
    private final Samples samples;
    private final List<String> lines = new ArrayList<>();

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
                .forEach(goal -> failures.add(goal.markdown(samples)));
        return failures;
    }

    private double mean(String series, String who, String metric) {
        return Arrays.stream(samples.of(series, who, metric)).average().orElse(0);
    }

    String markdown() {
        lines.clear();
        head();
        goals();
        beforeAndAfter();
        lines.addAll(List.of(
                "## Raw figures", "", "Medians, in brackets the lower and the upper quartile where they differ."));
        samples.series().forEach(this::table);
        return String.join("\n", lines) + "\n";
    }

    private void head() {
        int blocks = total(Metric.BLOCKS);
        lines.add(HEAD.formatted(
                        environment.date(),
                        mode == Mode.WHOLE ? "" : " -Dbenchmarks=" + mode,
                        took.toSeconds(),
                        blocks - total(Metric.KEPT),
                        blocks,
                        mode.factor(),
                        environment.cores(),
                        environment.processor(),
                        environment.memory(),
                        environment.system(),
                        environment.redis(),
                        environment.jdk().version(),
                        environment.virtualThreads().map(Jdk::version).orElse("**not run: no JDK 21 or newer**"),
                        Environment.versionOf("spring-cloud-gateway-server-webflux"),
                        Environment.versionOf("jedis"),
                        Environment.versionOf("jersey-server"),
                        Environment.versionOf("jetty-server"))
                .strip());
        environment.peers().forEach(peer -> lines.add("| " + peer.name() + " | " + peer.version() + " |"));
        lines.add("");
        if (!samples.remarks().isEmpty()) {
            lines.addAll(List.of("**Not as expected:**", ""));
            samples.remarks().forEach(remark -> lines.add(wrapped("- " + remark)));
            lines.add("");
        }
    }

    private void goals() {
        lines.add(GOALS);
        String above = "";
        Map<String, List<String>> missed = new LinkedHashMap<>();
        for (Goal goal : Goal.all()) {
            String how = goal.how(samples);
            lines.add(goal.markdown(samples) + (how.equals(above) ? " |" : " " + how + " |"));
            above = how;
            if (goal.isMissed(samples) && !goal.limit().isEmpty()) {
                missed.computeIfAbsent(goal.limit(), limit -> new ArrayList<>()).add(goal.what());
            }
        }
        lines.add("");
        missed.forEach((limit, of) -> lines.add(wrapped("- " + String.join("; ", of) + ": " + limit)));
        lines.add("");
    }

    /** Only if an earlier build was named. */
    private void beforeAndAfter() {
        if (ClassPaths.before(ClassPaths.present()).isEmpty()) {
            return;
        }
        lines.add(BEFORE);
        for (String series : samples.series()) {
            for (String who : samples.competitors(series)) {
                String before = Who.before(who);
                for (String metric : samples.metrics(series)) {
                    Quartiles.of(samples.ratios(series, who, before, metric))
                            .ifPresent(ratio -> lines.add(String.format(
                                    Locale.ROOT,
                                    "| %s | %s | %s | %s | %s | %.2f / **%.2f** / %.2f |",
                                    series,
                                    who,
                                    metric,
                                    Figure.text(Quartiles.median(samples.of(series, before, metric))),
                                    Figure.text(Quartiles.median(samples.of(series, who, metric))),
                                    ratio.lower(),
                                    ratio.median(),
                                    ratio.upper())));
                }
            }
        }
        lines.add("");
    }

    private int total(String metric) {
        return (int) samples.series().stream()
                .flatMapToDouble(series -> Arrays.stream(samples.of(series, Who.FIXED_LOAD, metric)))
                .sum();
    }

    private void table(String series) {
        Set<String> metrics = samples.metrics(series);
        lines.addAll(List.of("", "### " + series, ""));
        lines.add("| | " + String.join(" | ", metrics) + " |");
        lines.add("|---|" + "---|".repeat(metrics.size()));
        for (String who : samples.competitors(series)) {
            StringBuilder line = new StringBuilder("| " + who + " |");
            for (String metric : metrics) {
                String cell = Quartiles.of(samples.of(series, who, metric))
                        .map(Report::cell)
                        .orElse("");
                line.append(' ').append(cell).append(" |");
            }
            lines.add(line.toString());
        }
    }

    private static String cell(Quartiles quartiles) {
        if (quartiles.upper() == 0) {
            return "0";
        }
        String lower = Figure.text(quartiles.lower());
        String upper = Figure.text(quartiles.upper());
        return Figure.text(quartiles.median()) + (lower.equals(upper) ? "" : " (" + lower + "–" + upper + ")");
    }

    /** The text in lines of at most {@value #WIDTH} characters; an item goes on with two blanks. */
    static String wrapped(String text) {
        String indent = text.startsWith("- ") ? "  " : "";
        String wrapped = text.substring(indent.length())
                .replaceAll("(.{1," + (WIDTH - indent.length()) + "})(?: |$)", "\n" + indent + "$1")
                .strip();
        return indent.isEmpty() ? wrapped : "- " + wrapped;
    }
}
