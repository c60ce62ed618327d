package dev.limiter.calendar;

import java.time.Instant;

/**
 * What a limit has counted for one key in a period of the calendar: see
 * {@link dev.limiter.RateLimiter#usage}.
 *
 * @param used units, including those beyond the limit
 * @param ends the end of the period: the first instant after it
 */
public record Usage(long used, Instant ends) {

    /** The periods that a store knows. */
    public enum Period {
        /** The present period, by the clock of the store. */
        PRESENT,
        /** The period directly before it, with 0 units if it had no request. */
        PREVIOUS
    }
}
