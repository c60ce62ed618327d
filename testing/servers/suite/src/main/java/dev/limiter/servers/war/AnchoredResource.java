package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.Decision;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;

/** A policy whose month begins at the caller's billing day, also where a method asks it. */
@Path("anchored")
@RequestScoped
public class AnchoredResource {

    @Inject
    private RateLimits limits;

    /** Asks the policy a second time, for a key of the method's own. */
    @GET
    @RateLimited(
            name = "plan",
            key = "'all'",
            algorithm = Algorithm.FIXED_WINDOW,
            limit = 1_000,
            window = "1 month",
            anchor = "{attribute:plan|'1'}")
    public String limited() {
        limits.acquire("plan", "account");
        return periods();
    }

    /** No limit stands before this method. */
    @GET
    @Path("free")
    public String free() {
        limits.acquire("plan", "account");
        return periods();
    }

    private String periods() {
        List<String> periods = limits.decisions().stream()
                .map(Decision::results)
                .map(results -> results.get(0).policy().period().toString())
                .toList();
        return String.join(", ", periods);
    }
}
