package shop.quarkus;

import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

@Path("tickets")
public class TicketResource {
    @Inject
    RateLimits limits;

    @Inject
    SecurityIdentity buyer;

    @POST
    @Path("{show}")
    @Authenticated
    @RateLimited(name = "buyer", key = "{user}", algorithm = SLIDING_LOG, limit = 3, window = "10m")
    public String buy(@PathParam("show") String show) {
        return "a ticket for " + show + ", " + limits.remaining("buyer") + " left for "
                + buyer.getPrincipal().getName() + "\n";
    }

    @GET
    @RateLimited(name = "reader", key = "{ip}", algorithm = GCRA, limit = 60, window = "1m")
    public Uni<String> tickets() {
        return Uni.createFrom().item("circus, opera\n");
    }
}
