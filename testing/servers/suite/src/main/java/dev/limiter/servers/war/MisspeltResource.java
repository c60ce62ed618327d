package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Must not be deployed: there is no {@code usr}. */
@Path("misspelt")
public class MisspeltResource {

    @GET
    @RateLimited(key = "{usr}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String never() {
        return "never";
    }
}
