package dev.limiter.jaxrs;

import dev.limiter.StoreUnavailableException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** A store that fails within a resource method is answered as one that fails before it: 503, and not as a bug of the service. */
@Priority(Integer.MAX_VALUE)
final class UnavailableMapper implements ExceptionMapper<StoreUnavailableException> {
    private final HttpHeaders request;

    /**
     * @param request a proxy that knows the headers of the current request
     */
    UnavailableMapper(HttpHeaders request) {
        this.request = request;
    }

    @Override
    public Response toResponse(StoreUnavailableException unavailable) {
        return ProblemResponse.of(Problem.unavailable(), request);
    }
}
