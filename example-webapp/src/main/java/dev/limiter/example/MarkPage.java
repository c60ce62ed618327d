package dev.limiter.example;

import java.util.List;

/**
 * A page of marks, in the order in which they were recorded.
 *
 * @param source where they come from
 * @param nowMicros the present instant on the clock of the marks, in µs since 1970
 * @param last the value of {@code since} for the next page
 * @param more whether there may be more already
 * @param lost marks of this instance that did not reach Redis since it started
 */
record MarkPage(Source source, long nowMicros, String last, boolean more, long lost, List<Mark> marks) {

    /** The most marks of one page. */
    static final int MOST = 500;

    /** Where they come from. */
    enum Source {
        /** Those of all instances, from Redis. */
        SHARED,
        /**
         * Those of this instance, from its memory: Redis does not take marks, or does not answer.
         */
        CUT_OFF,
        /** Those of this instance, from its memory: the limits are there, too. */
        ALONE
    }
}
