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

/**
 * Policies whose month begins at the caller's billing day, or is that of the caller's time zone,
 * also where a method asks them; and one whose month is the same for all callers.
 */
@Path("anchored")
@RequestScoped
public class AnchoredResource {

    @Inject
    private RateLimits limits;

    /** Asks two of the policies a second time, for a key of the method's own. */
    @GET
    @RateLimited(name = "all", key = "'all'", algorithm = Algorithm.FIXED_WINDOW, limit = 1_000, window = "1 month")
    @RateLimited(
            name = "local",
            key = "'all'",
            algorithm = Algorithm.FIXED_WINDOW,
            limit = 1_000,
            window = "1 month {attribute:zone|'UTC'} from 15")
    @RateLimited(
            name = "plan",
            key = "'all'",
            algorithm = Algorithm.FIXED_WINDOW,
            limit = 1_000,
            window = "1 month from {attribute:plan|'1'}")
    public String limited() {
        return free();
    }

    /** No limit stands before this method. */
    @GET
    @Path("free")
    public String free() {
        limits.acquire("local", "account");
        limits.acquire("plan", "account");
        List<String> periods = limits.decisions().stream()
                .map(Decision::results)
                .flatMap(List::stream)
                .map(result ->
                        result.policy().name() + " per " + result.policy().period())
                .toList();
        return String.join(", ", periods);
    }
}
