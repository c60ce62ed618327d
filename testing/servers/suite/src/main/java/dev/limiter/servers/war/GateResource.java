package dev.limiter.servers.war;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;

/** Lets held requests go. */
@Path("gate")
public class GateResource {

    @DELETE
    public void close() {
        Gate.close();
    }

    @PUT
    public void open() {
        Gate.open();
    }
}
