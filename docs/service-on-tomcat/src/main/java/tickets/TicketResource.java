package tickets;

import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.OnStoreFailure.CLOSED;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

@Path("tickets/{show}")
@RequestScoped
public class TicketResource {
    @Inject
    RateLimits limits;

    @Inject
    Confirmations confirmations;

    @POST
    @RateLimited(
            name = "buyer",
            key = "{user|ip}",
            algorithm = SLIDING_LOG,
            limit = 5,
            window = "10m",
            onStoreFailure = CLOSED)
    public String buy(@PathParam("show") String show) {
        String mail = confirmations.send(show) ? "a mail" : "no mail";
        return "a ticket for " + show + ", " + mail + ", " + limits.remaining("buyer") + " left\n";
    }
}
