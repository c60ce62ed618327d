package dev.limiter;

/**
 * A limit was reached, and nothing was charged. A service shapes its answer with an
 * {@code ExceptionMapper<RateLimitExceededException>}; without one, the client is answered 429 with problem details.
 *
 * <p>It is thrown without a stack trace: being rejected is no error of the program, and happens most when there is least time.
 */
public final class RateLimitExceededException extends NotAdmittedException {
    private static final long serialVersionUID = 1L;

    private final transient Decision.Rejected rejection;

    /**
     * For the decision that rejected.
     *
     * @param rejection the decision
     */
    public RateLimitExceededException(Decision.Rejected rejection) {
        super("rate limit reached: " + names(rejection) + "; retry in " + rejection.retryAfter(), null, false);
        this.rejection = rejection;
    }

    /** {@return what was decided: which policies failed, and how long to wait; null after serialization} */
    public Decision.Rejected rejection() {
        return rejection;
    }

    private static String names(Decision.Rejected rejection) {
        StringBuilder names = new StringBuilder();
        for (Answer answer : rejection.failing()) {
            names.append(names.isEmpty() ? "" : ", ").append(answer.policy().name());
        }
        return names.toString();
    }
}
