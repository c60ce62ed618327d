package dev.limiter.servers.war;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** What a service promises, its limits among it. */
public interface Contract {

    @GET
    @Path("{id}")
    @Counted
    String find(@PathParam("id") String id);
}
