package dev.limiter.example.wars;

import dev.limiter.Algorithm;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.io.IOException;

/** Class limits, method limits on top of them, and methods that are exempt. */
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
    @Path("unchanged")
    public Response unchanged() {
        return Response.notModified().build();
    }

    @GET
    @Path("verb")
    @RateLimited(name = "verb", key = "{verb}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String verb() {
        return "verb";
    }

    /** Another method answers: of their limits, the one that both have is asked once. */
    @GET
    @Path("forward")
    @RateLimited(name = "forward", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public void forward(@Context HttpServletRequest request, @Context HttpServletResponse response)
            throws IOException, ServletException {
        request.getRequestDispatcher("/desk/tight").forward(request, response);
    }

    @GET
    @Path("tight")
    @RateLimited(name = "tight", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 2, window = "1h")
    @RateLimited(name = "seconds", key = "{ip}", algorithm = Algorithm.GCRA, limit = 100, window = "1h")
    public String tight() {
        return "tight";
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
    @RateLimited(key = "'all'", algorithm = Algorithm.FIXED_WINDOW, limit = 1000, window = "1d")
    public String replaced() {
        return "replaced";
    }
}
