package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.io.IOException;

/** Lets a servlet answer, which has a limit of its own. */
@Path("forwarding")
public class ForwardingResource {

    @GET
    @RateLimited(name = "forwarding", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public void forward(@Context HttpServletRequest request) throws IOException, ServletException {
        OriginalRequest.forward(request, "/s/once");
    }
}
