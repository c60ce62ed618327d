package dev.limiter.redis.faults;

import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.StoreUnavailableException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Counts the results of many threads for one key, or for all. */
final class Tally {
    private long admitted;
    private long rejected;
    private final Map<String, Integer> failures = new TreeMap<>();
    private long lastAdmittedNanos;
    private long longestPauseNanos;
    private long storeDecidedNanos;

    /** Asks, and counts the answer; null if there was none. */
    Decision ask(Supplier<Decision> request) {
        try {
            Decision decision = request.get();
            heard(decision);
            return decision;
        } catch (StoreUnavailableException none) {
            failed(none.getMessage());
            return null;
        }
    }

    private synchronized void heard(Decision decision) {
        long now = System.nanoTime();
        if (decision.admitted()) {
            longestPauseNanos = Math.max(longestPauseNanos, admitted == 0 ? 0 : now - lastAdmittedNanos);
            lastAdmittedNanos = now;
            admitted++;
        } else {
            rejected++;
        }
        if (storeDecidedNanos == 0 && decision.results().stream().noneMatch(CheckResult::fallback)) {
            storeDecidedNanos = now;
        }
    }

    private synchronized void failed(String reason) {
        failures.merge(reason, 1, Integer::sum);
    }

    synchronized long admitted() {
        return admitted;
    }

    synchronized long rejected() {
        return rejected;
    }

    /** Requests that got no decision, by their reasons. */
    synchronized Map<String, Integer> failures() {
        return Map.copyOf(failures);
    }

    synchronized int failed() {
        return failures.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The longest time between one admission and the next, in ns. */
    synchronized long longestPauseNanos() {
        return longestPauseNanos;
    }

    /** Forgets when the store has decided: {@link #storeDecidedNanos} is about the next time. */
    synchronized void awaitStore() {
        storeDecidedNanos = 0;
    }

    /** When the store first decided, as {@link System#nanoTime}; 0 if it has not yet. */
    synchronized long storeDecidedNanos() {
        return storeDecidedNanos;
    }
}
