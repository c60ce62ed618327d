package dev.limiter.benchmarks.contest;

import java.time.Duration;

/**
 * The limit of a run, which everybody enforces as well as they can.
 *
 * @param limit units per window, all of which may pass back to back
 * @param window whole seconds: some peers know nothing shorter
 */
public record Quota(long limit, Duration window) {}
