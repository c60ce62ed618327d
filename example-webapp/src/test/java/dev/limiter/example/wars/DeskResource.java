package dev.limiter.example.wars;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A limited class. */
@Path("desk")
@RateLimited(name = "desk", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
public class DeskResource {

    @GET
    @Path("plain")
    public String plain() {
        return "plain";
    }
}
