package dev.limiter;

/**
 * A limiter did not admit: a limit was reached, a queue is full, or the store could not be asked. A service that shapes the answer maps
 * one of the three exceptions themselves, not this class, which the library maps.
 */
public abstract sealed class NotAdmittedException extends RuntimeException
        permits RateLimitExceededException, QueueFullException, StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    NotAdmittedException(String message, Throwable cause, boolean withTrace) {
        super(message, cause, withTrace, withTrace);
    }

    /** {@return how long the client is told to wait, in whole seconds, at least 1} It is what {@code Retry-After} says. */
    public abstract long retryAfterSeconds();
}
