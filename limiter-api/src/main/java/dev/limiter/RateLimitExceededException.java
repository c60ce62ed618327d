package dev.limiter;

import java.util.stream.Collectors;

/**
 * A limit was reached, and nothing was charged. A service shapes its response with an
 * {@code ExceptionMapper<RateLimitExceededException>}. Without such a mapper, the response is a
 * 429 with problem details.
 *
 * <p>It is thrown without a stack trace: a rejection is no error of the program, and is most
 * frequent when there is least time.
 */
public final class RateLimitExceededException extends NotAdmittedException {
    private static final long serialVersionUID = 1L;

    private final transient Decision.Rejected rejection;

    /** In whole seconds; part of the serialized form. */
    private final long retryAfterSeconds;

    /**
     * An exception for a rejection.
     *
     * @param rejection the decision
     */
    public RateLimitExceededException(Decision.Rejected rejection) {
        this(rejection, rejection.retryAfterSeconds());
    }

    /**
     * An exception for a rejection that tells the client to wait longer than the decision does.
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
     * {@return how long the client is told to wait, in whole seconds, at least 1} If the filter
     * or {@code RateLimits} throws the exception, it is the number in {@code Retry-After}, with
     * the configured jitter. For a wait of 0.4 s it is 1.
     */
    @Override
    public long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /**
     * {@return what was decided: which policies failed, and how long to wait; null after
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
