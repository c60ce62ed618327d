package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Must not be deployed: the parenthesis is not closed. */
@Path("wrong")
public class WrongExpressionResource {

    @GET
    @RateLimited(key = "#{request.header('X-Tenant'}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String never() {
        return "never";
    }
}
