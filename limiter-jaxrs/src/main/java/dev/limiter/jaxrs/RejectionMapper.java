package dev.limiter.jaxrs;

import dev.limiter.RateLimitExceededException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/**
 * The answer to a rejection where the service has no mapper of its own for it. Without this one, a service's mapper of all
 * exceptions would make a 500 of it.
 */
@Priority(Integer.MAX_VALUE)
final class RejectionMapper implements ExceptionMapper<RateLimitExceededException> {
    private final Deployment deployment;
    private final HttpHeaders request;

    /**
     * @param request a proxy that knows the headers of the current request
     */
    RejectionMapper(Deployment deployment, HttpHeaders request) {
        this.deployment = deployment;
        this.request = request;
    }

    @Override
    public Response toResponse(RateLimitExceededException rejection) {
        return ProblemResponse.of(Problem.rejected(rejection.rejection(), deployment.policies()::isPublished), request);
    }
}
