package dev.limiter;

/**
 * How a request is decided when the store that holds the counts fails. A limit that was reached is
 * no failure.
 */
public enum OnStoreFailure {
    /** As the setting {@code limiter.on-store-failure} says. */
    CONFIGURED,

    /**
     * Each process decides alone, with the same algorithm, limit and window, until the store is
     * back.
     */
    LOCAL,

    /** The client gets a 503 with {@code Retry-After}: for log-ins, one-time codes, payments. */
    CLOSED,

    /** The request passes. */
    OPEN
}
