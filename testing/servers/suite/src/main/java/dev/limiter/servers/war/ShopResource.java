package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** A locator: what it returns is known only when a request comes. */
@Path("shop")
public class ShopResource {

    @Path("till")
    public Till till() {
        return new Till();
    }

    @Path("{shelf}")
    public Shelf shelf(@PathParam("shelf") String shelf) {
        return new Shelf();
    }

    /** Has the path parameter of its locator. */
    @RateLimited(name = "shelf", key = "{path:shelf}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Shelf {
        @GET
        public String get() {
            return "shelf";
        }
    }

    /** Its limit does not count what its own locator returns. */
    @RateLimited(name = "till", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 3, window = "1h")
    public static class Till {
        @GET
        public String get() {
            return "till";
        }

        @Path("drawer")
        public Drawer drawer() {
            return new Drawer();
        }
    }

    public static class Drawer {
        @GET
        public String get() {
            return "drawer";
        }
    }
}
