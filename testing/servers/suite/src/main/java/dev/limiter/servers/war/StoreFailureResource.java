package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A method for each {@code OnStoreFailure}, and one without a limit. */
@Path("ways")
public class StoreFailureResource {

    @GET
    @Path("local/{id}")
    @RateLimited(
            name = "way-local",
            key = "{path:id}",
            algorithm = Algorithm.GCRA,
            limit = 1_000,
            window = "1s",
            onStoreFailure = OnStoreFailure.LOCAL)
    public String local() {
        return "local";
    }

    @GET
    @Path("closed/{id}")
    @RateLimited(
            name = "way-closed",
            key = "{path:id}",
            algorithm = Algorithm.GCRA,
            limit = 1_000,
            window = "1s",
            onStoreFailure = OnStoreFailure.CLOSED)
    public String closed() {
        return "closed";
    }

    @GET
    @Path("open/{id}")
    @RateLimited(
            name = "way-open",
            key = "{path:id}",
            algorithm = Algorithm.GCRA,
            limit = 1_000,
            window = "1s",
            onStoreFailure = OnStoreFailure.OPEN)
    public String open() {
        return "open";
    }

    @GET
    @Path("free/{id}")
    public String free() {
        return "free";
    }
}
