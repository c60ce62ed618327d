package dev.limiter.benchmarks.contest;

/** What came of one check. */
public enum Verdict {
    ADMITTED,
    REJECTED,

    /** Redis was not asked, or did not answer in time: it does not count as a check. */
    UNANSWERED;

    /** The answer of a peer that knows two of them. */
    public static Verdict of(boolean admitted) {
        return admitted ? ADMITTED : REJECTED;
    }
}
