package dev.limiter.example.wars;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/**
 * One method for each placeholder; with ten an hour, the remaining of a response tells its
 * partition.
 */
@Path("keys")
public class KeysResource {

    @GET
    @Path("path/{show}")
    @RateLimited(key = "{path:show}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String path() {
        return "";
    }

    @GET
    @Path("query")
    @RateLimited(key = "{query:q}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String query() {
        return "";
    }

    @GET
    @Path("header")
    @RateLimited(key = "{header:X-Api-Key|'none'}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String header() {
        return "";
    }

    @GET
    @Path("cookie")
    @RateLimited(key = "{cookie:c}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String cookie() {
        return "";
    }

    @GET
    @Path("attribute")
    @RateLimited(key = "{attribute:tenant}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String attribute() {
        return "";
    }

    @GET
    @Path("both")
    @RateLimited(key = "{query:a}/{query:b}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String both() {
        return "";
    }

    @GET
    @Path("address")
    @RateLimited(key = "{ip}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String address() {
        return "";
    }
}
