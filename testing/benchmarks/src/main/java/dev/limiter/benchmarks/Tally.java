package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Verdict;
import java.util.Map;

/** Counts the outcomes of the checks of a slice. */
final class Tally {
    private long admitted;
    private long rejected;
    private long unanswered;

    void count(Verdict verdict) {
        switch (verdict) {
            case ADMITTED -> admitted++;
            case REJECTED -> rejected++;
            case UNANSWERED -> unanswered++;
        }
    }

    void add(Tally other) {
        admitted += other.admitted;
        rejected += other.rejected;
        unanswered += other.unanswered;
    }

    /** The checks that were answered. */
    long checks() {
        return admitted + rejected;
    }

    void tell(Map<String, Double> figures) {
        double all = Math.max(1, admitted + rejected + unanswered);
        figures.put(Metric.ANSWERED, (double) checks());
        figures.put(Metric.REJECTED, 100 * rejected / all);
        figures.put(Metric.UNANSWERED, 100 * unanswered / all);
    }
}
