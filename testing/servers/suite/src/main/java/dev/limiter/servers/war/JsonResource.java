package dev.limiter.servers.war;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Whether the server has JSON, of its own or in the WAR. */
@Path("json")
public class JsonResource {

    @GET
    public boolean isThere() {
        try {
            JsonText.of("");
            return true;
        } catch (LinkageError | RuntimeException absent) {
            return false;
        }
    }
}
