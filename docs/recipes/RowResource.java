import static dev.limiter.Algorithm.TOKEN_BUCKET;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.util.List;

/** Rows of an owner, whose number only the method knows. */
@Path("rows")
@RequestScoped
public class RowResource {
    @Inject
    RateLimits limits; // without CDI: RateLimits.of(requestContext)

    @GET
    @RateLimited(name = "rows", key = "{user|ip}", algorithm = TOKEN_BUCKET,
            limit = 1000, window = "1m",
            cost = "{query:size|'20'}")
    public String rows(@QueryParam("owner") String owner) {
        limits.acquire("owner", owner); // or throws the 429
        List<String> rows = List.of("as many", "as there are");
        limits.charge("rows", rows.size()); // never refused
        return rows + ", " + limits.remaining("rows") + " left";
    }
}
