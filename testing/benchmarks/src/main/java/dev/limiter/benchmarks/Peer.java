package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Entry;

/** A published limiter and the version of its JAR. */
record Peer(Entry entry, String version) {

    /** Its name in the tables. */
    String name() {
        return entry.name();
    }
}
