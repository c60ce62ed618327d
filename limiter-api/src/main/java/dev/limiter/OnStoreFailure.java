package dev.limiter;

/**
 * How a request is decided when the store that holds the counts fails. It does not apply to a
 * limit that was reached.
 */
public enum OnStoreFailure {
    /** As the setting {@code limiter.on-store-failure} says. */
    CONFIGURED,

    /**
     * Each process decides by itself, with the same algorithm, limit and window, until the
     * store is back.
     */
    LOCAL,

    /**
     * The request is answered 503 with {@code Retry-After}: for log-in, one-time codes, payment.
     */
    CLOSED,

    /** The request passes. */
    OPEN
}
