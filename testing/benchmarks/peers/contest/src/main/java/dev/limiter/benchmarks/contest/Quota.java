package dev.limiter.benchmarks.contest;

import java.time.Duration;

/**
 * The limit of a run, which each competitor enforces as well as it can.
 *
 * @param limit units per window, all of which may pass back to back
 * @param window whole seconds: some peers have no shorter windows
 */
public record Quota(long limit, Duration window) {}
