package dev.limiter;

import java.util.stream.Collectors;

/**
 * A limit was reached, and nothing was charged. The client gets a 429 with problem details. If you
 * want another response, write an {@code ExceptionMapper<RateLimitExceededException>}.
 *
 * <p>It has no stack trace, because a rejection is no error of the program, and comes most often
 * when time is short.
 */
public final class RateLimitExceededException extends NotAdmittedException {
    private static final long serialVersionUID = 1L;

    private final transient Decision.Rejected rejection;

    /** In whole seconds; part of the serialized form. */
    private final long retryAfterSeconds;

    /**
     * Makes an exception for a rejection.
     *
     * @param rejection the decision
     */
    public RateLimitExceededException(Decision.Rejected rejection) {
        this(rejection, rejection.retryAfterSeconds());
    }

    /**
     * Makes an exception for a rejection that tells the client to wait longer than the decision
     * does.
     *
     * @param rejection the decision
     * @param retryAfterSeconds what the client is told, in whole seconds; not less than
     *     {@link Decision.Rejected#retryAfterSeconds}
     * @throws IllegalArgumentException if it is less
     */
    public RateLimitExceededException(Decision.Rejected rejection, long retryAfterSeconds) {
        super("rate limit reached: " + names(rejection) + "; retry in " + rejection.retryAfter(), null, false);
        if (retryAfterSeconds < rejection.retryAfterSeconds()) {
            throw new IllegalArgumentException("retryAfterSeconds must be at least the " + rejection.retryAfterSeconds()
                    + " s of the decision, was " + retryAfterSeconds);
        }
        this.rejection = rejection;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    /**
     * {@return how long the client is told to wait, in whole seconds, at least 1} If the filter or
     * {@code RateLimits} has thrown it, this is the number in {@code Retry-After}, with the
     * configured jitter. For a wait of 0.4 s it is 1.
     */
    @Override
    public long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /**
     * {@return the decision: which policies rejected, and how long to wait; null after
     * serialization}
     */
    public Decision.Rejected rejection() {
        return rejection;
    }

    private static String names(Decision.Rejected rejection) {
        return rejection.failing().stream()
                .map(result -> result.policy().name())
                .collect(Collectors.joining(", "));
    }
}
