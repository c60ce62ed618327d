package dev.limiter.calendar;

import java.time.Instant;

/**
 * What a limit has counted for one key in a period of the calendar: see
 * {@link dev.limiter.RateLimiter#usage}.
 *
 * @param used units, also those beyond the limit
 * @param ends when the period ends or ended, the first instant outside of it
 */
public record Usage(long used, Instant ends) {

    /** One of the periods that a store knows. */
    public enum Period {
        /** The period at hand, by the clock of the store. */
        PRESENT,
        /** The period directly before it: 0 units if no request came in it. */
        PREVIOUS
    }
}
