package dev.limiter.servers.war;

import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** Asks by itself, for a key that only it knows. */
@Path("acquired/{account}")
@RequestScoped
public class AcquiringResource {

    @Inject
    private RateLimits limits;

    /** Asks the policy {@code account}, which configuration declares. */
    @GET
    public String acquire(@PathParam("account") String account) {
        limits.acquire("account", account);
        return "acquired";
    }
}
