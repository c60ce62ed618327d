package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Verdict;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/** A few threads that ask for one key, with no clock between two answers. */
record ManyRejections(int threads) implements Meter<Competitor> {
    private static final int AT_ONCE = 1_000;

    @Override
    public Map<String, Double> measure(Competitor competitor, Duration slice) {
        double[] perSecond = new double[threads];
        Thread[] all = IntStream.range(0, threads)
                .mapToObj(index -> new Thread(() -> perSecond[index] = perSecond(competitor, slice)))
                .toArray(Thread[]::new);
        for (Thread thread : all) {
            thread.start();
        }
        for (Thread thread : all) {
            ManyThreads.join(thread);
        }
        return Map.of(Metric.CHECKS, Arrays.stream(perSecond).sum());
    }

    private static double perSecond(Competitor competitor, Duration slice) {
        long began = System.nanoTime();
        long now = began;
        long rejected = 0;
        while (now - began < slice.toNanos()) {
            for (int i = 0; i < AT_ONCE; i++) {
                rejected += competitor.ask(0) == Verdict.REJECTED ? 1 : 0;
            }
            now = System.nanoTime();
        }
        return rejected * 1e9 / (now - began);
    }
}
