package dev.limiter.operations.internal;

import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.jaxrs.internal.response.ProblemDetails;
import dev.limiter.jaxrs.internal.response.ProblemResponse;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import java.util.List;

/** A request that is not executed. The message says the rule. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Status status;

    public RefusedException(Status status, String rule) {
        super(rule);
        this.status = status;
    }

    /** @param accept all values of the request's {@code Accept}; null when there is none */
    public Response response(List<String> accept) {
        ProblemDetails problem = ProblemDetails.refused(
                status.getStatusCode(), status.getReasonPhrase(), LogText.of(getMessage()) + '.');
        return ProblemResponse.of(problem, accept);
    }
}
