package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Competitor;
import java.time.Duration;

/**
 * A competitor in a series.
 *
 * @param leadIn how long it is asked before each measured slice: longer than a window if its
 *     cost depends on the content of the last window
 */
record Contender(String name, Competitor competitor, Duration leadIn) {
    private static final Duration BRIEFLY = Duration.ofMillis(10);

    Contender(String name, Competitor competitor) {
        this(name, competitor, BRIEFLY);
    }
}
