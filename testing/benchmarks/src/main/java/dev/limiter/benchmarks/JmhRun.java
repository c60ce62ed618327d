package dev.limiter.benchmarks;

import java.util.Collection;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link Engine} in JVMs of JMH's own. */
final class JmhRun {
    static final String BYTES = "gc.alloc.rate.norm";
    static final String REJECTED_BY_ONE = "rejected, 1 thread";
    static final String REJECTED_BY_TWO = "rejected, 2 threads";

    private final dev.limiter.benchmarks.Mode mode;
    private final Samples samples;

    JmhRun(dev.limiter.benchmarks.Mode mode, Samples samples) {
        this.mode = mode;
        this.samples = samples;
    }

    void run() {
        try {
            run("rejected", 1, REJECTED_BY_ONE);
            run("rejected", 2, REJECTED_BY_TWO);
            run("gcra", 1, Who.GCRA);
            run("fixedWindow", 1, Who.FIXED);
            run("slidingLog", 1, Who.LOG);
        } catch (RunnerException failed) {
            samples.remark("JMH did not run: " + failed.getMessage());
        }
    }

    private void run(String method, int threads, String name) throws RunnerException {
        TimeValue iteration = TimeValue.milliseconds(mode.manyThreadsSlice().toMillis());
        Options options = new OptionsBuilder()
                .include(Engine.class.getName().replace(".", "\\.") + "\\." + method + "$")
                .mode(Mode.Throughput)
                .threads(threads)
                .forks(1)
                .warmupIterations(3)
                .warmupTime(TimeValue.milliseconds(
                        mode.warmUp(mode.manyThreadsSlice()).toMillis()))
                .measurementIterations(mode.rounds())
                .measurementTime(iteration)
                .jvmArgsAppend(Server.options().toArray(String[]::new))
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        for (RunResult result : results) {
            for (BenchmarkResult fork : result.getBenchmarkResults()) {
                int round = 0;
                for (IterationResult iterationResult : fork.getIterationResults()) {
                    add(name, round++, iterationResult);
                }
            }
        }
    }

    private void add(String name, int round, IterationResult iteration) {
        double checks = iteration.getPrimaryResult().getScore();
        samples.add(new Sample(Series.JMH, name, Metric.CHECKS, round, checks));
        iteration.getSecondaryResults().forEach((metric, result) -> {
            if (metric.endsWith(BYTES)) {
                samples.add(new Sample(Series.JMH, name, Metric.BYTES, round, result.getScore()));
            }
        });
    }
}
