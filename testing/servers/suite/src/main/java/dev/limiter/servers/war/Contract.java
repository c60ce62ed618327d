package dev.limiter.servers.war;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** The contract of a service, with its limits. */
public interface Contract {

    @GET
    @Path("{id}")
    @Counted
    String find(@PathParam("id") String id);
}
