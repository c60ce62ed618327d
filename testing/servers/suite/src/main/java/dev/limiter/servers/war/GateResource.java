package dev.limiter.servers.war;

import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;

/** Lets held requests go. */
@Path("gate")
public class GateResource {

    @PUT
    public void open() {
        Gate.open();
    }
}
