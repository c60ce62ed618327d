package dev.limiter.servers.war;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** A service's own answer to its own exception. */
@Provider
public class TeapotMapper implements ExceptionMapper<TeapotException> {

    @Override
    public Response toResponse(TeapotException exception) {
        return Response.status(418).entity("a teapot").build();
    }
}
