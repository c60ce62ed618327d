package dev.limiter;

import java.time.Duration;
import java.util.Optional;

/**
 * A limiter did not admit: a limit was reached, the store could not be asked, or an extension
 * refused, such as a full queue. A service that shapes the response maps the subclasses, not
 * this class, which the library maps.
 */
public abstract class NotAdmittedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A refusal.
     *
     * @param message for the log of the service
     * @param cause what the store's client threw; null if there is none
     * @param withTrace whether it has a stack trace
     */
    protected NotAdmittedException(String message, Throwable cause, boolean withTrace) {
        super(message, cause, withTrace, withTrace);
    }

    /**
     * {@return how long the client is told to wait, in whole seconds, at least 1} It is the
     * value of {@code Retry-After}.
     */
    public abstract long retryAfterSeconds();

    /**
     * {@return a wait for {@code Retry-After}: in whole seconds, rounded up, at least 1} A wait of
     * 1 ms is 1, one of 1.000001 s is 2.
     *
     * @param wait not negative
     */
    public static long wholeSeconds(Duration wait) {
        return Math.max(1, wait.plusNanos(999_999_999).getSeconds());
    }

    /** {@return how long the client has to wait, as far as it is known, more than 0} */
    public Duration retryAfter() {
        return Duration.ofSeconds(retryAfterSeconds());
    }

    /**
     * {@return what the problem details of a 429 tell the client, a sentence without its full
     * stop} Empty if the filter has its own words for this exception.
     */
    public Optional<String> clientDetail() {
        return Optional.empty();
    }
}
