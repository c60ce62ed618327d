package shop.boot;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.SLIDING_LOG;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;

@Path("tickets")
public class TicketResource {
    @POST
    @Path("{show}")
    @RateLimited(name = "buyer", key = "{user}", algorithm = SLIDING_LOG, limit = 3, window = "10m")
    public String buy(@PathParam("show") String show, @Context ContainerRequestContext request) {
        long left = RateLimits.of(request).remaining("buyer");
        String buyer = request.getSecurityContext().getUserPrincipal().getName();
        return "a ticket for " + show + ", " + left + " left for " + buyer + "\n";
    }

    @GET
    public String tickets(@Context ContainerRequestContext request) {
        return RateLimits.of(request).policy("buyer").limit() + " tickets for each buyer\n";
    }

    @GET
    @Path("report")
    @RateLimited(name = "report", key = "{ip}", algorithm = CONCURRENCY, limit = 1)
    public String report() {
        return "4 tickets\n";
    }
}
