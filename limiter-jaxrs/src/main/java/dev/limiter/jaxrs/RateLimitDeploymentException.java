package dev.limiter.jaxrs;

import java.util.List;

/**
 * Some declarations cannot be put in force. The message has one line for each, with annotation,
 * member, place, value and rule.
 */
public final class RateLimitDeploymentException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one exception for all problems.
     *
     * @param problems a line for each; at least one
     */
    public RateLimitDeploymentException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
