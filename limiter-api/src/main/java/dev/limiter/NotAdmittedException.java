package dev.limiter;

import java.time.Duration;
import java.util.Optional;

/**
 * Work was not admitted: a limit was reached, the store gave no answer, or an extension refused,
 * such as a full queue. To shape the response, map the subclasses; the library maps this class
 * itself.
 */
public abstract class NotAdmittedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception of a subclass.
     *
     * @param message for the log of the service
     * @param cause what the store's client threw; null if there is none
     * @param withTrace whether it has a stack trace
     */
    protected NotAdmittedException(String message, Throwable cause, boolean withTrace) {
        super(message, cause, withTrace, withTrace);
    }

    /**
     * {@return how long the client is told to wait, the value of {@code Retry-After}: in whole
     * seconds, at least 1}
     */
    public abstract long retryAfterSeconds();

    /**
     * {@return a wait as a value of {@code Retry-After}: in whole seconds, rounded up, at least 1}
     * A wait of 1 ms is 1, one of 1.000001 s is 2.
     *
     * @param wait not negative
     */
    public static long wholeSeconds(Duration wait) {
        return Math.max(1, wait.plusNanos(999_999_999).getSeconds());
    }

    /** {@return how long the client has to wait, as exactly as it is known; more than 0} */
    public Duration retryAfter() {
        return Duration.ofSeconds(retryAfterSeconds());
    }

    /**
     * {@return what the problem details of a 429 tell the client, as a sentence without its full
     * stop; empty if the filter has its own words for this exception}
     */
    public Optional<String> clientDetail() {
        return Optional.empty();
    }
}
