package dev.limiter.example.wars;

import dev.limiter.Algorithm;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Class limits, method limits on top of them, and methods that are exempt. */
@Path("desk")
@RateLimited(name = "desk", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
public class DeskResource {

    @GET
    @Path("plain")
    public String plain() {
        return "plain";
    }

    @GET
    @Path("tight")
    @RateLimited(name = "tight", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 2, window = "1h")
    @RateLimited(name = "seconds", key = "{ip}", algorithm = Algorithm.GCRA, limit = 100, window = "1h")
    public String tight() {
        return "tight";
    }

    @GET
    @Path("exempt")
    @RateLimitExempt
    public String exempt() {
        return "exempt";
    }

    @GET
    @Path("replaced")
    @RateLimitExempt("desk")
    @RateLimited(key = "'all'", algorithm = Algorithm.FIXED_WINDOW, limit = 1000, window = "1d")
    public String replaced() {
        return "replaced";
    }
}
