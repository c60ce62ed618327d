package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Verdict;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** One caller. It asks again as soon as it has an answer. */
final class OneThread implements Meter {
    private final int keys;

    OneThread(int keys) {
        this.keys = keys;
    }

    @Override
    public Map<String, Double> measure(Competitor competitor, Duration slice) {
        Latencies latencies = new Latencies();
        Tally tally = new Tally();
        long began = System.nanoTime();
        long last = began;
        for (int key = 0; last - began < slice.toNanos(); key = key + 1 < keys ? key + 1 : 0) {
            Verdict verdict = competitor.ask(key);
            long now = System.nanoTime();
            latencies.record(now - last);
            tally.count(verdict);
            last = now;
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(Metric.NANOS, latencies.meanNanos(0.99));
        figures.put(Metric.MEAN, (last - began) / (double) tally.checks());
        tally.tell(figures);
        figures.put(Metric.P50, latencies.percentileMicros(0.5));
        return figures;
    }
}
