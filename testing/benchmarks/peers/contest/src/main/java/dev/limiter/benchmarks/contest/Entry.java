package dev.limiter.benchmarks.contest;

import java.util.List;

/** A peer; the one in a JAR is found by {@link java.util.ServiceLoader}. */
public interface Entry {

    /** Its name in the tables. */
    String name();

    /** The beginning of the name of the JAR whose version is the peer's. */
    String artifact();

    /**
     * Connects, and does the work that an application would do once.
     *
     * @param port of the Redis on 127.0.0.1
     */
    Competitor enter(int port, Quota quota, List<String> keys);
}
