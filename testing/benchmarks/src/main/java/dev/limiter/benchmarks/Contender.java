package dev.limiter.benchmarks;

import java.time.Duration;

/**
 * A competitor in a series.
 *
 * @param leadIn how long it is asked before it is measured, beside those that it is compared with:
 *     longer than a window if its cost depends on the content of the last window
 */
record Contender<T>(String name, T subject, Duration leadIn) {

    Contender(String name, T subject) {
        this(name, subject, Duration.ZERO);
    }
}
