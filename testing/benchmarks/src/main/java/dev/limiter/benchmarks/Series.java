package dev.limiter.benchmarks;

/** The names of the series. */
final class Series {
    static final String ONE_CORE = "one thread, one core";
    static final String HTTP = "HTTP, 64 connections";
    static final String HTTP_ALONE = "HTTP, 1 connection";
    static final String ALONE = "the limiter alone in a JVM";
    static final String MEMORY = "memory";

    private Series() {}

    static String manyKeys(Crew crew) {
        return crew.text() + ", 10,000 keys";
    }

    static String hotKey(Crew crew) {
        return crew.text() + ", one key";
    }
}
