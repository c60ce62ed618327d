package dev.limiter.servers.war;

import static dev.limiter.Enforcement.SOFT;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Says how many units are used, and whether they are more than are included. */
@Path("included")
@RequestScoped
public class IncludedResource {

    @Inject
    private RateLimits limits;

    @GET
    @RateLimited(
            name = "included",
            key = "'all'",
            algorithm = Algorithm.FIXED_WINDOW,
            limit = 100,
            window = "300d",
            enforcement = SOFT)
    public String used() {
        return limits.used("included") + " " + limits.isExceeded("included");
    }
}
