package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Says in a header that it was reached, and with what. */
@Path("spelled")
public class SpelledResource {

    @GET
    @Path("plain")
    @RateLimited(name = "plain", key = "{endpoint}", algorithm = Algorithm.SLIDING_LOG, limit = 1_000, window = "1h")
    public Response plain() {
        return Response.ok("plain").header("Reached", "plain").build();
    }

    @GET
    @Path("shows/{show}")
    @RateLimited(name = "show", key = "{path:show}", algorithm = Algorithm.SLIDING_LOG, limit = 1_000, window = "1h")
    public Response show(@PathParam("show") String show) {
        return Response.ok("show")
                .header("Reached", URLEncoder.encode(show, StandardCharsets.UTF_8))
                .build();
    }
}
