package dev.limiter.servers.war;

import dev.limiter.RateLimitExceededException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** A service's own answer to a rejection. */
@Provider
public class OwnRejectionMapper implements ExceptionMapper<RateLimitExceededException> {

    @Override
    public Response toResponse(RateLimitExceededException exceeded) {
        String policy = exceeded.rejection().failing().get(0).policy().name();
        return Response.status(420)
                .entity("too much of " + policy + ", come again in " + exceeded.retryAfterSeconds() + " s")
                .type("text/x-own")
                .build();
    }
}
