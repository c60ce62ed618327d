package dev.limiter.servers.war;

import dev.limiter.RateLimitExceededException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** A service's own answer to a rejection; none, if the query is {@code none}. */
@Provider
public class OwnRejectionMapper implements ExceptionMapper<RateLimitExceededException> {
    @Context
    UriInfo uri;

    @Override
    public Response toResponse(RateLimitExceededException exceeded) {
        if ("none".equals(uri.getRequestUri().getQuery())) {
            return null;
        }
        String policy = exceeded.rejection().failing().get(0).policy().name();
        return Response.status(420)
                .entity("too much of " + policy + ", come again in " + exceeded.retryAfterSeconds() + " s")
                .type("text/x-own")
                .build();
    }
}
