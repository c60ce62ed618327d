package dev.limiter.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Runs every experiment and writes docs/benchmarks and docs/benchmarks.md; a shorter run writes
 * into {@code target} instead. To be started in the directory of this module.
 */
public final class Benchmarks {
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    /**
     * One core has neither parallel collectors nor compilers that run beside: these would take
     * half of it from the measured competitor. So they take one call, which the fastest 99 %
     * leave out.
     */
    private static final List<String> ON_ONE_CORE =
            List.of("-XX:+UseSerialGC", "-XX:-BackgroundCompilation", "-Xms256m", "-Xmx1g");

    private static final List<String> ON_ALL_CORES = List.of("-Xms512m", "-Xmx2g");

    private final Mode mode;
    private final Samples samples = new Samples();

    private Benchmarks(Mode mode) {
        this.mode = mode;
    }

    /**
     * @param arguments {@code smoke}, {@code quick} or {@code whole}; or none, for whole
     */
    public static void main(String[] arguments) {
        Parent.endWhenOrphaned();
        Benchmarks benchmarks = new Benchmarks(Mode.of(arguments.length == 0 ? "whole" : arguments[0]));
        Server.choose();
        Environment environment = Environment.of(Server.text());
        long began = System.nanoTime();
        benchmarks.run(environment);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        Report report = new Report(environment, benchmarks.mode, took, benchmarks.samples);
        benchmarks.write("conditions.csv", report.conditions());
        benchmarks.write("goals.csv", report.goals());
        benchmarks.write("figures.csv", report.figures());
        if (ClassPaths.before(ClassPaths.present()).isPresent()) {
            write(Path.of("target/before-and-after.csv"), report.beforeAndAfter());
        }
        benchmarks.write("checks.svg", Picture.of(benchmarks.samples));
        String page = Page.of(benchmarks.samples);
        benchmarks.write("../benchmarks.md", page);
        List<String> failures = report.failures();
        if (page.contains(Figure.NONE)) {
            failures.add("the page lacks a figure");
        }
        if (!failures.isEmpty()) {
            System.err.println("Not as it has to be:\n" + String.join("\n", failures));
            System.exit(1);
        }
    }

    private void run(Environment environment) {
        run(Experiment.ONE_CORE, Crew.PLATFORM, environment.jdk(), pinned(), ON_ONE_CORE);
        Optional<Jdk> jdk = environment.virtualThreads();
        for (int jvm = 0; jvm < mode.jvms(); jvm++) {
            for (Experiment experiment : List.of(Experiment.MANY_KEYS, Experiment.HOT_KEY)) {
                run(experiment, Crew.PLATFORM, environment.jdk(), List.of(), ON_ALL_CORES);
                jdk.ifPresent(newer -> run(experiment, Crew.VIRTUAL, newer, List.of(), ON_ALL_CORES));
            }
        }
        if (jdk.isEmpty()) {
            samples.remark("virtual threads: not run, no JDK 21 or newer was found; name one with -Dbenchmarks.jdk25=");
        }
        run(Experiment.ALONE, Crew.PLATFORM, environment.jdk(), List.of(), ON_ALL_CORES);
        run(Experiment.MEMORY, Crew.PLATFORM, environment.jdk(), List.of(), ON_ALL_CORES);
        say("HTTP");
        new HttpLoad(mode, environment.jdk(), samples).run();
    }

    private void run(Experiment experiment, Crew crew, Jdk jdk, List<String> before, List<String> options) {
        say(experiment + ", " + crew.text() + " at most");
        try (ChildJvm child = ChildJvm.start(
                before,
                jdk,
                mode.options(options),
                ClassPaths.present(),
                Experiment.class,
                experiment.arguments(mode, crew))) {
            if (!child.follow(line -> Output.read(line, samples), PATIENCE)) {
                samples.remark(experiment + " of " + crew.text() + " did not end well; what it had measured is told");
            }
        }
    }

    private List<String> pinned() {
        if (Command.exists("taskset")) {
            return List.of("taskset", "-c", Integer.toString(Environment.firstCore()));
        }
        samples.remark("without taskset the server and the client of \"" + Series.ONE_CORE + "\" were on all cores");
        return List.of();
    }

    private void write(String name, String document) {
        write(Path.of(mode == Mode.WHOLE ? "../../docs/benchmarks" : "target/docs/benchmarks", name), document);
    }

    private static void write(Path file, String document) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, document);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        say("written: " + file.toAbsolutePath().normalize());
    }

    private static void say(String text) {
        System.out.println(
                "[benchmarks] " + LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS) + " " + text);
    }
}
