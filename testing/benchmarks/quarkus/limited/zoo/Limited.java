package zoo;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A limit that is never reached. */
@Path("limited")
public class Limited {
    @GET
    @RateLimited(key = "{ip}", algorithm = Algorithm.GCRA, limit = 100_000_000, window = "1s", burst = 100_000_000)
    public String get() {
        return "lion, tiger";
    }
}
