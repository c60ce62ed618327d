package dev.limiter.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Verdict;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One caller. It asks again as soon as it has an answer. The bytes are all that its thread
 * allocates.
 */
final class OneThread implements Meter<Competitor> {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final int keys;

    OneThread(int keys) {
        this.keys = keys;
    }

    @Override
    public Map<String, Double> measure(Competitor competitor, Duration slice) {
        Latencies latencies = new Latencies();
        Tally tally = new Tally();
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long began = System.nanoTime();
        long last = began;
        for (int key = 0; last - began < slice.toNanos(); key = key + 1 < keys ? key + 1 : 0) {
            Verdict verdict = competitor.ask(key);
            long now = System.nanoTime();
            latencies.record(now - last);
            tally.count(verdict);
            last = now;
        }
        bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(Metric.NANOS, latencies.meanNanos(0.99));
        figures.put(Metric.CHECKS, tally.checks() * 1e9 / (last - began));
        tally.tell(figures);
        figures.put(Metric.ALLOCATED, bytes / (double) tally.checks());
        return figures;
    }
}
