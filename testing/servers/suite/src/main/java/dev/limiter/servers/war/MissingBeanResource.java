package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Must not be deployed: there is no such bean. */
@Path("wrong")
public class MissingBeanResource {

    @GET
    @RateLimited(key = "{bean:tenantKye}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String never() {
        return "never";
    }
}
