package dev.limiter.jaxrs.internal.response;

import dev.limiter.NotAdmittedException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/**
 * Makes the response to a request that was not admitted, if the service has no mapper of its own
 * for the exception. Without it, a service's mapper of all exceptions would turn the response
 * into a 500.
 *
 * <p>It maps the common super class, because servers do not agree which of two mappers of the
 * same class is asked. So the service's mapper is always the nearer one.
 *
 * <p>It is no record: RESTEasy asks a provider for its hash code, and the proxy of the headers
 * has none outside of a request.
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
