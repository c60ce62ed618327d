package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Limits with keys of several kinds. */
@Path("keys")
public class KeysResource {

    @GET
    @Path("path/{show}")
    @RateLimited(name = "path", key = "{path:show}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String path() {
        return "path";
    }

    @GET
    @Path("header")
    @RateLimited(
            name = "header",
            key = "{header:X-Api-Key}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String header() {
        return "header";
    }

    @GET
    @Path("address")
    @RateLimited(name = "address", key = "{ip}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String address() {
        return "address";
    }
}
