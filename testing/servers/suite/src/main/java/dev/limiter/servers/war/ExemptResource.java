package dev.limiter.servers.war;

import dev.limiter.RateLimitExempt;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A health check, out of all limits that know what is asked. */
@Path("exempt")
@RateLimitExempt
public class ExemptResource {

    @GET
    public String get() {
        return "exempt";
    }
}
