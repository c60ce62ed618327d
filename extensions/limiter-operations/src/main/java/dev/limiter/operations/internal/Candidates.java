package dev.limiter.operations.internal;

import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication.Candidate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What each candidate would have done on this instance since its numbers are in force: to how many
 * requests, and to how many different callers.
 */
final class Candidates {
    private static final double NEAR = 0.8;

    private final Map<String, Counts> byPolicy = new ConcurrentHashMap<>();

    private static final class Counts {
        /** The numbers that are counted. */
        private final Object version;

        private final LongAdder requests = new LongAdder();
        private final LongAdder rejected = new LongAdder();
        private final DistinctCallers callers = new DistinctCallers();
        /** Callers that have used 80 % of the candidate at some time, or were rejected. */
        private final DistinctCallers near = new DistinctCallers();

        private final DistinctCallers rejectedCallers = new DistinctCallers();

        Counts(Object version) {
            this.version = version;
        }

        void count(long caller, CheckResult result) {
            requests.increment();
            callers.add(caller);
            if (!result.admitted() || result.used() >= NEAR * result.policy().capacity()) {
                near.add(caller);
            }
            if (!result.admitted()) {
                rejected.increment();
                rejectedCallers.add(caller);
            }
        }

        void addAll(String[] line) {
            requests.add(Long.parseLong(line[1]));
            rejected.add(Long.parseLong(line[2]));
            callers.addAll(DistinctCallers.of(line[3]));
            near.addAll(DistinctCallers.of(line[4]));
            rejectedCallers.addAll(DistinctCallers.of(line[5]));
        }

        Map<String, Object> described() {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("requests", requests.sum());
            row.put("candidateRejected", rejected.sum());
            row.put("callers", callers.count());
            row.put("callersRejected", rejectedCallers.count());
            row.put("callersNeverNear", Math.max(0, callers.count() - near.count()));
            return row;
        }
    }

    /** Counts what a candidate has decided, unless the store was away. */
    void count(Candidate candidate, PartitionKey key, Decision decision) {
        CheckResult result = decision.results().get(0);
        if (result.fallback()) {
            return;
        }
        String name = candidate.policy().name();
        Object version = candidate.version();
        Counts counts = byPolicy.get(name);
        if (counts == null || !counts.version.equals(version)) { // equal after a change of others
            counts = byPolicy.compute(
                    name, (same, now) -> now != null && now.version.equals(version) ? now : new Counts(version));
        }
        counts.count(key.stableHash(), result);
    }

    /**
     * A line for each candidate: its name, requests, rejected ones, three sets of callers.
     *
     * @param inForce the names of all; others were taken back, and are forgotten
     */
    List<String> report(Set<String> inForce) {
        byPolicy.keySet().retainAll(inForce);
        List<String> lines = new ArrayList<>();
        byPolicy.forEach((name, counts) -> lines.add(String.join(
                "\t",
                name,
                Long.toString(counts.requests.sum()),
                Long.toString(counts.rejected.sum()),
                counts.callers.text(),
                counts.near.text(),
                counts.rejectedCallers.text())));
        return lines;
    }

    /** Adds reports up, by the name of the candidate. */
    static Map<String, Object> sum(Collection<String> reports) {
        Map<String, Counts> sums = new TreeMap<>();
        reports.stream()
                .flatMap(String::lines)
                .map(line -> line.split("\t", -1))
                .forEach(line -> sums.computeIfAbsent(line[0], Counts::new).addAll(line));
        Map<String, Object> described = new LinkedHashMap<>();
        sums.forEach((name, counts) -> described.put(name, counts.described()));
        return described;
    }
}
