package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.Map;

/**
 * Asks for some time.
 *
 * @param <T> what is asked: a competitor in this JVM, or an endpoint
 */
@FunctionalInterface
interface Meter<T> {

    /** Figures by the names of {@link Metric}. */
    Map<String, Double> measure(T subject, Duration slice);
}
