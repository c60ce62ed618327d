package dev.limiter.example.wars;

import dev.limiter.Algorithm;
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
    public Broken broken(@PathParam("shelf") String shelf) {
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

    /** Cannot be found out before a request comes. */
    public static class Broken {
        @GET
        @RateLimited(key = "{usr}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
        public String get() {
            return "never";
        }
    }
}
