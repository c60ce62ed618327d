package dev.limiter.servers.war;

import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;

/** Where the tests let go what they hold. */
@Path("gate")
public class GateResource {

    @PUT
    public void open() {
        Gate.open();
    }
}
