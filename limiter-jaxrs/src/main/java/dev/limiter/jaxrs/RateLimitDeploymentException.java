package dev.limiter.jaxrs;

import java.util.List;

/**
 * Declarations that cannot be put in force; the message has one line for each, with annotation,
 * member, place, value and rule.
 */
public final class RateLimitDeploymentException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception with one message for all problems.
     *
     * @param problems a line for each; at least one
     */
    public RateLimitDeploymentException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
