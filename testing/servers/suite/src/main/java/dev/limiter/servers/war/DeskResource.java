package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.io.IOException;

/** A limit on the class, and limits on methods on top of it. */
@Path("desk")
@RateLimited(name = "desk", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
public class DeskResource {

    @GET
    @Path("plain")
    public String plain() {
        return "plain";
    }

    @OPTIONS
    @Path("plain")
    public String options() {
        return "options";
    }

    @GET
    @Path("tight")
    @RateLimited(name = "tight", key = "'all'", algorithm = Algorithm.FIXED_WINDOW, limit = 2, window = "1h")
    public String tight() {
        return "tight";
    }

    @GET
    @Path("verb")
    @RateLimited(name = "verb", key = "{verb}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String verb() {
        return "verb";
    }

    /** Another method answers, which has the limit of the class, too. */
    @GET
    @Path("forward")
    @RateLimited(name = "forward", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public void forward(@Context HttpServletRequest request) throws IOException, ServletException {
        OriginalRequest.forward(request, "/desk/tight");
    }

    @GET
    @Path("exempt")
    @RateLimitExempt
    public String exempt() {
        return "exempt";
    }

    @GET
    @Path("replaced")
    @RateLimitExempt("desk")
    @RateLimited(name = "replaced", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String replaced() {
        return "replaced";
    }
}
