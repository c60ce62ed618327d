package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.Tier;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** One policy for each test that changes one, and a partition for each caller. */
@Path("live")
public class LiveResource {

    @GET
    @Path("lowered")
    @RateLimited(name = "lowered", key = "{query:who}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String lowered() {
        return "lowered";
    }

    @GET
    @Path("switched")
    @RateLimited(name = "switched", key = "{query:who}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String switched() {
        return "switched";
    }

    @GET
    @Path("watched")
    @RateLimited(name = "watched", key = "{query:who}", algorithm = Algorithm.SLIDING_LOG, limit = 2, window = "1h")
    public String watched() {
        return "watched";
    }

    @GET
    @Path("secret")
    @RateLimited(name = "secret", key = "{query:who}", algorithm = Algorithm.SLIDING_LOG, limit = 3, window = "1h")
    public String secret() {
        return "secret";
    }

    @GET
    @Path("sane")
    @RateLimited(name = "sane", key = "{query:who}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String sane() {
        return "sane";
    }

    @GET
    @Path("sober")
    @RateLimited(name = "sober", key = "{query:who}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String sober() {
        return "sober";
    }

    @GET
    @Path("marker")
    @RateLimited(name = "marker", key = "{query:who}", algorithm = Algorithm.SLIDING_LOG, limit = 1000, window = "1h")
    public String marker() {
        return "marker";
    }

    @GET
    @Path("tiered")
    @RateLimited(
            name = "tiered",
            key = "{query:who}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 5,
            window = "1h",
            tier = "{attribute:plan}",
            tiers = @Tier(name = "gold", limit = 20))
    public String tiered() {
        return "tiered";
    }
}
