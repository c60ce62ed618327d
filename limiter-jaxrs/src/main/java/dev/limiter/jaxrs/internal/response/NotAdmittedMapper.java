package dev.limiter.jaxrs.internal.response;

import dev.limiter.NotAdmittedException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/**
 * The answer to a request that was not admitted, where the service has no mapper of its own for the exception. Without this one, a
 * service's mapper of all exceptions would make a 500 of it.
 *
 * <p>It maps what the exceptions have in common, since servers do not agree which of two mappers of the same class is asked: so the
 * service's is the nearer one.
 */
public final class NotAdmittedMapper implements ExceptionMapper<NotAdmittedException> {
    private final Problems problems;
    private final HttpHeaders request;

    /**
     * @param request a proxy that knows the headers of the current request
     */
    public NotAdmittedMapper(Problems problems, HttpHeaders request) {
        this.problems = problems;
        this.request = request;
    }

    @Override
    public Response toResponse(NotAdmittedException refused) {
        return ProblemResponse.of(problems.of(refused), request.getRequestHeader(HttpHeaders.ACCEPT));
    }
}
