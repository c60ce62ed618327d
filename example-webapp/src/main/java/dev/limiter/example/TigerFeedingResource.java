package dev.limiter.example;

import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.UNIFORM;

import dev.limiter.RateLimited;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;

/**
 * Three offices that sell tickets for the same feeding: one has a gate for each guest, one a
 * window for all of them, one both. The gate alone sells as many tickets as there are guests;
 * the window alone sells several to a fast guest.
 */
@Path("tiger-feeding")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class TigerFeedingResource {
    private static final String GUEST = "{user}@{endpoint}";
    private static final String OFFICE = "{endpoint}";
    private static final long TICKETS = 20;

    @Inject
    Zoo zoo;

    @POST
    @Path("gate")
    @RateLimited(name = "gate", key = GUEST, algorithm = UNIFORM, limit = 1, window = "10s")
    public Response gate(@Context SecurityContext security) {
        return ticket(security);
    }

    @POST
    @Path("window")
    @RateLimited(name = "feeding", key = OFFICE, algorithm = SLIDING_LOG, limit = TICKETS, window = "10s")
    public Response window(@Context SecurityContext security) {
        return ticket(security);
    }

    @POST
    @Path("both")
    @RateLimited(name = "gate", key = GUEST, algorithm = UNIFORM, limit = 1, window = "10s")
    @RateLimited(name = "feeding", key = OFFICE, algorithm = SLIDING_LOG, limit = TICKETS, window = "10s")
    public Response both(@Context SecurityContext security) {
        return ticket(security);
    }

    private Response ticket(SecurityContext security) {
        Principal user = security.getUserPrincipal();
        Ticket ticket = zoo.sell("tiger feeding", user == null ? "anonymous" : user.getName());
        return Response.status(Response.Status.CREATED).entity(ticket).build();
    }
}
