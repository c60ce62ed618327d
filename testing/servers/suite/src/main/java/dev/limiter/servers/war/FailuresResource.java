package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Limits for failures of the store. */
@Path("failures")
public class FailuresResource {

    @GET
    @Path("configured")
    @RateLimited(name = "configured", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 3, window = "1h")
    public String configured() {
        return "configured";
    }

    @GET
    @Path("closed")
    @RateLimited(
            name = "closed",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 3,
            window = "1h",
            onStoreFailure = OnStoreFailure.CLOSED)
    public String closed() {
        return "closed";
    }

    @GET
    @Path("open")
    @RateLimited(
            name = "open",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 3,
            window = "1h",
            onStoreFailure = OnStoreFailure.OPEN)
    public String open() {
        return "open";
    }
}
