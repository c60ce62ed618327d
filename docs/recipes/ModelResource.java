import static dev.limiter.Algorithm.FIXED_WINDOW;

import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** A model of which each team has a share, and all have a pool. */
@Path("models")
@RequestScoped
public class ModelResource {
    @Inject
    RateLimits limits;

    @POST
    @RateLimited(name = "share", key = "{attribute:team|'none'}", algorithm = FIXED_WINDOW, limit = 2, window = "1 year", cost = "0")
    @RateLimited(name = "pool", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1 year", cost = "0")
    public String ask() {
        try {
            limits.reserve("share", 1);
        } catch (RateLimitExceededException spent) {
            limits.reserve("pool", 1);
        }
        return "answer";
    }
}
