package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.Locale;

/** How long to measure. */
enum Mode {
    /** Only shows that everything runs; its figures mean nothing. */
    SMOKE(1, 1, 1, 1, 10, 20, 20, 20),
    QUICK(1, 1, 1, 1, 200, 40, 50, 100),
    WHOLE(5, 3, 6, 3, 800, 80, 80, 1_000);

    private static final double FACTOR = 1.4;
    /** Of the rounds that are measured, the share that has to be kept. */
    private static final double ENOUGH = 0.5;

    private final int oneCoreRounds;
    private final int manyThreadsRounds;
    private final int httpRounds;
    private final int jvms;
    private final long warmUpMillis;
    private final long oneThreadMillis;
    private final long manyThreadsMillis;
    private final long windowMillis;

    Mode(
            int oneCoreRounds,
            int manyThreadsRounds,
            int httpRounds,
            int jvms,
            long warmUpMillis,
            long oneThreadMillis,
            long manyThreadsMillis,
            long windowMillis) {
        this.oneCoreRounds = oneCoreRounds;
        this.manyThreadsRounds = manyThreadsRounds;
        this.httpRounds = httpRounds;
        this.jvms = jvms;
        this.warmUpMillis = warmUpMillis;
        this.oneThreadMillis = oneThreadMillis;
        this.manyThreadsMillis = manyThreadsMillis;
        this.windowMillis = windowMillis;
    }

    static Mode of(String text) {
        return valueOf(text.strip().toUpperCase(Locale.ROOT));
    }

    int oneCoreRounds() {
        return oneCoreRounds;
    }

    /** In each JVM. */
    int manyThreadsRounds() {
        return manyThreadsRounds;
    }

    int httpRounds() {
        return httpRounds;
    }

    /** How many JVMs measure the same, since each compiles in another way. */
    int jvms() {
        return jvms;
    }

    /** How many ratios a goal needs. */
    int enough() {
        return (int) Math.ceil(ENOUGH * Math.min(oneCoreRounds, Math.min(jvms * manyThreadsRounds, httpRounds)));
    }

    Calibration calibration() {
        return new Calibration(this == SMOKE ? 1_000 : FACTOR);
    }

    Duration oneThreadSlice() {
        return Duration.ofMillis(oneThreadMillis);
    }

    Duration manyThreadsSlice() {
        return Duration.ofMillis(manyThreadsMillis);
    }

    /** Of the fixed load: longer than a slice, since it judges many of them. */
    Duration calibrationSlice() {
        return manyThreadsSlice().multipliedBy(3);
    }

    /** The longest window of a log, which has to pass before it is measured. */
    Duration longestWindow() {
        return Duration.ofMillis(windowMillis);
    }

    /** The number of different callers. */
    int callers() {
        return this == SMOKE ? 100 : 10_000;
    }

    /** The time that each competitor is asked before the first round, for compilers and caches. */
    Duration warmUp() {
        return Duration.ofMillis(warmUpMillis);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
