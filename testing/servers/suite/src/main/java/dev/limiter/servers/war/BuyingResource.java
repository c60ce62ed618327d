package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Whose limit operators change. */
@Path("buying")
public class BuyingResource {

    @GET
    @RateLimited(name = "buying", key = "{user}", algorithm = Algorithm.GCRA, limit = 3, window = "1h")
    public String buy() {
        return "bought";
    }

    @GET
    @Path("keyed")
    @RateLimited(name = "keyed", key = "{header:X-Api-Key}", algorithm = Algorithm.GCRA, limit = 3, window = "1h")
    public String buyWithKey() {
        return "bought";
    }

    @GET
    @Path("login")
    @RateLimited(name = "login", key = "{user}", algorithm = Algorithm.FIXED_WINDOW, limit = 1, window = "300d")
    public String login() {
        return "welcome";
    }
}
