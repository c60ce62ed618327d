package dev.limiter.jaxrs.internal.key;

/**
 * An expression that cannot be evaluated for a request: a mistake of the service. Its message has
 * no values of the request.
 */
public final class FailedExpressionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FailedExpressionException(String message, StackTraceElement[] where) {
        super(message);
        setStackTrace(where);
    }

    /** The same, which names the limit and the endpoint. */
    public FailedExpressionException of(String policy, String endpoint) {
        return new FailedExpressionException(
                "policy \"" + policy + "\" on " + endpoint + ": " + getMessage(), getStackTrace());
    }
}
