package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.RateLimited;
import dev.limiter.Tier;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.stream.Collectors;

/** Tiers: 5, 10 for silver, 20 for gold, and unlimited for partners. */
@Path("tiers")
@RequestScoped
public class TieredResource {
    @Inject
    private RateLimits limits;

    @GET
    @Path("log")
    @RateLimited(
            name = "log",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 5,
            window = "1h",
            tier = "{attribute:plan}",
            tiers = {
                @Tier(name = "silver", limit = 10),
                @Tier(name = "gold", limit = 20),
                @Tier(name = "partner", unlimited = true)
            })
    public String log() {
        return decisions();
    }

    @GET
    @Path("counter")
    @RateLimited(
            name = "counter",
            key = "'all'",
            algorithm = Algorithm.FIXED_WINDOW,
            limit = 5,
            window = "1d",
            tier = "{attribute:plan}",
            tiers = {
                @Tier(name = "silver", limit = 10),
                @Tier(name = "gold", limit = 20),
                @Tier(name = "partner", unlimited = true)
            })
    public String counter() {
        return decisions();
    }

    /** A bucket of another depth, which fills at the same rate. */
    @GET
    @Path("bucket")
    @RateLimited(
            name = "bucket",
            key = "'all'",
            algorithm = Algorithm.TOKEN_BUCKET,
            limit = 5,
            window = "1d",
            tier = "{attribute:plan}",
            tiers = {
                @Tier(name = "silver", burst = 10),
                @Tier(name = "gold", burst = 20),
                @Tier(name = "partner", unlimited = true)
            })
    public String bucket() {
        return decisions();
    }

    /** The decisions, as {@code limit burst remaining} of each policy. */
    private String decisions() {
        return limits.decisions().stream()
                .flatMap(decision -> decision.results().stream())
                .map(TieredResource::written)
                .collect(Collectors.joining(", "));
    }

    private static String written(CheckResult result) {
        return result.policy().limit() + " " + result.policy().burst() + " " + result.remaining();
    }
}
