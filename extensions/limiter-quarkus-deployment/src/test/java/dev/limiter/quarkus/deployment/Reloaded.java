package dev.limiter.quarkus.deployment;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Its source changes while it runs. */
@Path("reloaded")
public class Reloaded {
    @GET
    @RateLimited(name = "reloaded", key = "{ip}", algorithm = Algorithm.FIXED_WINDOW, limit = 1, window = "1d")
    public String get() {
        return "first";
    }
}
