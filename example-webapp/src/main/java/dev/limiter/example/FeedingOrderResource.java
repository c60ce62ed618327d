package dev.limiter.example;

import dev.limiter.queue.EntryState;
import dev.limiter.queue.OfferResult;
import dev.limiter.queue.QueueStats;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Map;

/** Accepts orders as fast as the keeper feeds: while ten wait, the next one is answered 429. */
@Path("feeding-orders")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class FeedingOrderResource {

    @Inject
    FeedingOrders orders;

    /** The queue throws when it is full, and the limiter makes the response. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response place(FeedingOrder order, @Context UriInfo uri) {
        if (order == null || !order.isReadable()) {
            throw new BadRequestException("an order names an animal and its food");
        }
        OfferResult.Accepted accepted = orders.queue().accept(order.written());
        return Response.accepted(Map.of("id", accepted.id(), "state", "waiting", "length", accepted.length()))
                .location(uri.getAbsolutePathBuilder().path(accepted.id()).build())
                .build();
    }

    @GET
    @Path("{id}")
    public Map<String, String> state(@PathParam("id") String id) {
        return Map.of("id", id, "state", word(orders.queue().state(id)));
    }

    /** The state in a word; an order that the keeper holds is not eaten yet. */
    private static String word(EntryState state) {
        return switch (state) {
            case WAITING, TAKEN -> "waiting";
            case DONE -> "done";
            case DEAD -> "dead";
            case UNKNOWN -> throw new NotFoundException("no such order, or one of long ago");
        };
    }

    @GET
    public Map<String, Long> stats() {
        QueueStats stats = orders.queue().stats();
        return Map.of(
                "waiting",
                stats.length(),
                "dead",
                stats.dead(),
                "ageMillis",
                stats.age().toMillis());
    }
}
