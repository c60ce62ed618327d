package dev.limiter.benchmarks;

/** The names of the measured quantities. */
final class Metric {
    static final String ANSWERED = "answered";
    /** The mean of the fastest 99 %: the rest is mostly another process on the core. */
    static final String NANOS = "ns a check";

    static final String CHECKS = "checks/s";
    static final String P50 = "p50 µs";
    static final String P99 = "p99 µs";
    static final String REJECTED = "% rejected";
    static final String UNANSWERED = "% unanswered";
    static final String SERVER_MICROS = "server µs a check";
    static final String CALLS = "calls a check";
    static final String TRIPS = "reads a check";
    static final String BYTES = "bytes";
    static final String ALLOCATED = "bytes allocated a check";
    static final String REQUESTS = "requests/s";
    static final String CPU = "server CPU µs a request";
    static final String REDIS_CPU = "Redis CPU µs a request";
    static final String BLOCKS = "blocks";
    static final String KEPT = "blocks kept";

    private Metric() {}
}
