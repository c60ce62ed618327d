package dev.limiter.operations.internal;

import jakarta.ws.rs.core.Response.Status;

/** A request of an operator that is not executed. The message says the rule. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Status status;

    RefusedException(Status status, String rule) {
        super(rule);
        this.status = status;
    }

    public Status status() {
        return status;
    }
}
