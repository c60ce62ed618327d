package dev.limiter.benchmarks.contest;

/** The outcome of one check. */
public enum Verdict {
    ADMITTED,
    REJECTED,

    /** Redis was not asked, or did not answer in time: it does not count as a check. */
    UNANSWERED;

    /** The outcome of a peer that has two of them. */
    public static Verdict of(boolean admitted) {
        return admitted ? ADMITTED : REJECTED;
    }
}
