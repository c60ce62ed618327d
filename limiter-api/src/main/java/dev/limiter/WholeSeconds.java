package dev.limiter;

import java.time.Duration;

/** A wait in the unit of {@code Retry-After}: never shorter than the truth, and never 0, which would invite a loop. */
final class WholeSeconds {
    private static final long ALL_BUT_ONE_NANO = 999_999_999;

    private WholeSeconds() {}

    /** Rounds up, to 1 at least: 0 and 1 ms give 1, 1.000001 s gives 2. */
    static long of(Duration wait) {
        return Math.max(1, wait.plusNanos(ALL_BUT_ONE_NANO).getSeconds());
    }
}
