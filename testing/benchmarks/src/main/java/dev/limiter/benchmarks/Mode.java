package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How long to measure. */
enum Mode {
    /** Only shows that everything runs; its figures mean nothing. */
    SMOKE(1, 1, 1, 1, 10, 20, 20, 20),
    QUICK(1, 2, 1, 1, 200, 40, 20, 100),
    WHOLE(7, 20, 6, 3, 1_200, 80, 20, 1_000);

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

    /** How often each endpoint is asked for a second before the first round. */
    int httpWarmUps() {
        return switch (this) {
            case SMOKE -> 0;
            case QUICK -> 1;
            case WHOLE -> 3;
        };
    }

    /** How many JVMs measure the same, since each compiles in another way. */
    int jvms() {
        return jvms;
    }

    /** By which the speed of the machine may differ from its median. */
    double factor() {
        return switch (this) {
            case SMOKE -> Double.POSITIVE_INFINITY; // its figures mean nothing
            case QUICK -> 2; // of few blocks, compilers disturb the first
            case WHOLE -> 1.4;
        };
    }

    /** Options of a JVM. A smoke run needs no compiler that takes its time. */
    List<String> options(List<String> options) {
        return this == SMOKE
                ? Stream.concat(options.stream(), Stream.of("-XX:TieredStopAtLevel=1"))
                        .toList()
                : options;
    }

    Duration oneThreadSlice() {
        return Duration.ofMillis(oneThreadMillis);
    }

    /** Short: how threads meet at its begin decides its speed until its end. */
    Duration manyThreadsSlice() {
        return Duration.ofMillis(manyThreadsMillis);
    }

    /** Of the fixed load: it decides whether slices count, so it must be sure. */
    Duration calibrationSlice() {
        return Duration.ofMillis(this == SMOKE ? 20 : 100);
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
