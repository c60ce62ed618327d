package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.Path;

/** Has the limits of the application, and is exempt from some. */
@Path("guarded")
public class GuardedResource {

    @GET
    @Path("plain")
    public String plain() {
        return "plain";
    }

    @GET
    @Path("own")
    @RateLimited(name = "own", key = "{user}", algorithm = Algorithm.SLIDING_LOG, limit = 100, window = "1h")
    public String own() {
        return "own";
    }

    @OPTIONS
    @Path("asked")
    public String asked() {
        return "asked";
    }

    @GET
    @Path("by-name")
    @RateLimitExempt("each")
    public String byName() {
        return "by name";
    }

    /** Another limit in the place of one of the application's. */
    @GET
    @Path("replaced")
    @RateLimitExempt("each")
    @RateLimited(name = "replaced", key = "{user}", algorithm = Algorithm.SLIDING_LOG, limit = 100, window = "1h")
    public String replaced() {
        return "replaced";
    }

    @GET
    @Path("all")
    @RateLimitExempt
    public String all() {
        return "all";
    }
}
