package dev.limiter.example.runner;

/**
 * Why the example does not start, in one line for the person who started it, and so without a
 * stack trace.
 */
final class CannotStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CannotStartException(String message) {
        super(message, null, false, false);
    }

    CannotStartException(String message, Throwable cause) {
        this(message + ": " + reason(cause));
    }

    /** Servers wrap what an application says several times. */
    private static String reason(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
