package dev.limiter.servers.war;

import dev.limiter.RateLimitExempt;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A health check that is exempt from all limits after matching. */
@Path("exempt")
@RateLimitExempt
public class ExemptResource {

    @GET
    public String get() {
        return "exempt";
    }
}
