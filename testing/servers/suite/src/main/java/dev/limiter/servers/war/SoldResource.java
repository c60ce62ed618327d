package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A limit with the quota of each customer. */
@Path("sold")
public class SoldResource {

    @GET
    @Path("{customer}")
    @RateLimited(
            name = "plan",
            key = "{path:customer}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 50,
            window = "1h",
            quota = "{bean:sold}")
    public String sold() {
        return "sold";
    }
}
