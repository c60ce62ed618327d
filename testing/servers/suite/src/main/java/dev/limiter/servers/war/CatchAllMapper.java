package dev.limiter.servers.war;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Maps all exceptions to a 500, as many services do. */
@Provider
public class CatchAllMapper implements ExceptionMapper<Throwable> {

    @Override
    public Response toResponse(Throwable thrown) {
        return Response.status(500).entity("caught").build();
    }
}
