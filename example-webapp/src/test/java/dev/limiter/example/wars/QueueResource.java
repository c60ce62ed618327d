package dev.limiter.example.wars;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Holds requests for slots of 4 ms, and says when each of them ran. */
@Path("queue")
public class QueueResource {

    @GET
    @RateLimited(
            name = "queue",
            key = "'all'",
            algorithm = Algorithm.LEAKY_BUCKET,
            limit = 250,
            window = "1s",
            maxWait = "30s")
    public String queue() {
        return Long.toString(System.currentTimeMillis());
    }
}
