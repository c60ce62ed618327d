package dev.limiter.example;

import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.UNIFORM;

import dev.limiter.RateLimited;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;

/**
 * Two limits that admit together or not at all: a rejected buyer uses up nothing of the show.
 */
@Path("tickets")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class TicketResource {

    @Inject
    Zoo zoo;

    @POST
    @Path("{show}")
    @RateLimited(name = "buyer", key = "{user}", algorithm = UNIFORM, limit = 1, window = "10s")
    @RateLimited(name = "show", key = "{path:show}", algorithm = SLIDING_LOG, limit = 100, window = "10s")
    public Response buy(@PathParam("show") String show, @Context SecurityContext security) {
        Principal user = security.getUserPrincipal();
        Ticket ticket = zoo.sell(show, user == null ? "anonymous" : user.getName());
        return Response.status(Response.Status.CREATED).entity(ticket).build();
    }
}
