package dev.limiter.example.wars;

import dev.limiter.Algorithm;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** Locators: what they return is known only when a request comes. */
@Path("shop")
public class ShopResource {

    @Path("{shelf}")
    public Shelf shelf(@PathParam("shelf") String shelf) {
        return new Shelf();
    }

    @Path("broken/{shelf}")
    public Object broken(@PathParam("shelf") String shelf) {
        return new Broken();
    }

    /** Has the path parameter of its locator. */
    @RateLimited(name = "shelf", key = "{path:shelf}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Shelf {
        @GET
        public String get() {
            return "shelf";
        }
    }

    /** No locator names its class, so only a request shows that there is no such limit. */
    public static class Broken {
        @GET
        @RateLimitExempt("rack")
        public String get() {
            return "never";
        }
    }
}
