package dev.limiter.example;

import dev.limiter.RateLimitExempt;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;

/** Whether the application answers. It has no limit, so a frequent check costs no quota. */
@Path("health")
@Produces(MediaType.APPLICATION_JSON)
public class HealthResource {

    @GET
    @RateLimitExempt
    public Map<String, String> health() {
        return Map.of("status", "up");
    }
}
