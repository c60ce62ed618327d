package dev.limiter.servers.war;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Whatever is thrown is the service's fault, as many services have it. */
@Provider
public class CatchAllMapper implements ExceptionMapper<Throwable> {

    @Override
    public Response toResponse(Throwable thrown) {
        return Response.status(500).entity("caught").build();
    }
}
