package dev.limiter.example;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.time.Duration;

/**
 * Shows and sets the pace of this instance's keeper. With a slower keeper, orders are accepted
 * more slowly.
 */
@Path("keeper")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class KeeperResource {

    @Inject
    Keeper keeper;

    /**
     * The pace.
     *
     * @param everyMillis from one order to the next
     */
    public record Pace(long everyMillis) {}

    @GET
    public Pace pace() {
        return new Pace(keeper.pace().toMillis());
    }

    /** Sets the pace; only the keeper may. */
    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    public Pace work(Pace pace, @Context SecurityContext security) {
        Principal user = security.getUserPrincipal();
        if (user == null || !user.getName().equals("keeper")) {
            throw new ForbiddenException();
        }
        Duration every = pace == null ? Duration.ZERO : Duration.ofMillis(pace.everyMillis());
        if (every.compareTo(Keeper.QUICKEST) < 0 || every.compareTo(Keeper.SLOWEST) > 0) {
            throw new BadRequestException("everyMillis must be from 50 to 10000");
        }
        keeper.work(every);
        return pace();
    }
}
