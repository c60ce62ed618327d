package dev.limiter;

/** What becomes of a request when the store that holds the counts fails. It never answers for a limit that was reached. */
public enum OnStoreFailure {
    /** What {@code limiter.on-store-failure} says. */
    CONFIGURED,

    /** Each process decides by itself, with the same algorithm and numbers, until the store is back. */
    LOCAL,

    /** Answered 503 with {@code Retry-After}: for log-in, one-time codes, payment. */
    CLOSED,

    /** Let pass. */
    OPEN
}
