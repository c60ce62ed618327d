package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Competitor;
import java.time.Duration;
import java.util.Map;

/** Asks a competitor for some time. */
@FunctionalInterface
interface Meter {

    /** Figures by the names of {@link Metric}. */
    Map<String, Double> measure(Competitor competitor, Duration slice);
}
