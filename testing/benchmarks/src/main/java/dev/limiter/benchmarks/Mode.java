package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.Locale;

/**
 * How long to measure. A ratio is taken in each round; a slice is one competitor's part of a
 * round.
 */
enum Mode {
    /** Only shows that everything runs; its figures mean nothing. */
    SMOKE(2, 2, 20, 20, 300, 100),
    SHORT(5, 15, 80, 300, 2_000, 2_000),
    FULL(9, 30, 250, 1_500, 6_000, 6_000);

    private static final Duration ENOUGH = Duration.ofSeconds(3);

    private final int rounds;
    private final int oneCoreRounds;
    private final long oneThreadMillis;
    private final long manyThreadsMillis;
    private final long httpMillis;
    private final long windowMillis;

    Mode(
            int rounds,
            int oneCoreRounds,
            long oneThreadMillis,
            long manyThreadsMillis,
            long httpMillis,
            long windowMillis) {
        this.rounds = rounds;
        this.oneCoreRounds = oneCoreRounds;
        this.oneThreadMillis = oneThreadMillis;
        this.manyThreadsMillis = manyThreadsMillis;
        this.httpMillis = httpMillis;
        this.windowMillis = windowMillis;
    }

    static Mode of(String text) {
        return valueOf(text.strip().toUpperCase(Locale.ROOT));
    }

    int rounds() {
        return rounds;
    }

    /**
     * Many short rounds: the speed of one core changes within a second with the load of its
     * neighbours, and a ratio is of one round.
     */
    int oneCoreRounds() {
        return oneCoreRounds;
    }

    Duration oneThreadSlice() {
        return Duration.ofMillis(oneThreadMillis);
    }

    Duration manyThreadsSlice() {
        return Duration.ofMillis(manyThreadsMillis);
    }

    Duration httpSlice() {
        return Duration.ofMillis(httpMillis);
    }

    /** The longest window of a log, which has to pass before each slice. */
    Duration longestWindow() {
        return Duration.ofMillis(windowMillis);
    }

    /** The number of different callers. */
    int callers() {
        return this == SMOKE ? 100 : 10_000;
    }

    /**
     * The time for compilers and caches before the first round: compilers take a core of their
     * own.
     */
    Duration warmUp(Duration slice) {
        return this == SMOKE || slice.compareTo(ENOUGH) > 0 ? slice : ENOUGH;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
