package orders;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.GCRA;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import io.helidon.security.annotations.Authenticated;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

@Path("orders")
@RequestScoped
public class OrderResource {
    @Inject
    RateLimits limits;

    @GET
    @Authenticated
    @RateLimited(name = "reader", key = "{user}", algorithm = GCRA, limit = 60, window = "1h", burst = 3)
    public String all() {
        return limits.remaining("reader") + " left\n";
    }

    @GET
    @Path("report")
    @RateLimited(name = "report", key = "{ip}", algorithm = CONCURRENCY, limit = 1)
    public String report() {
        return "a report\n";
    }
}
