import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Enforcement.SOFT;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;

/**
 * Reports of which two a month are included, and further ones are billed. When the month ends is in
 * {@code limits.decisions()}: {@code resetAfterMicros()} of the result, 0 if nothing is used.
 */
@Path("reports")
@RequestScoped
public class ReportResource {
    @Inject
    RateLimits limits;

    @GET
    @RateLimited(name = "included", key = "{attribute:client}", algorithm = FIXED_WINDOW,
            limit = 2, window = "1 month from {attribute:billing_day|'1'}", enforcement = SOFT)
    public Response report() {
        return Response.ok("report")
                .header("X-Reports-Used", limits.used("included")) // 3: the first to be billed
                .header("X-Billed", limits.isExceeded("included"))
                .build();
    }
}
