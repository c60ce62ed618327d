package dev.limiter.example;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.CacheControl;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.Optional;

/**
 * The recorded requests as a time series. It has no limit, so that a viewer costs nothing and
 * leaves no mark.
 */
@Path("marks")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class MarkResource {

    @Inject
    Marks marks;

    /**
     * @param since {@code last} of an earlier response; without it, the marks of the last minute
     */
    @GET
    public Response after(@QueryParam("since") String since) {
        try {
            CacheControl never = new CacheControl();
            never.setNoStore(true);
            return Response.ok(marks.after(Optional.ofNullable(since).map(MarkId::parse)))
                    .cacheControl(never)
                    .build();
        } catch (IllegalArgumentException unreadable) {
            return Response.status(Response.Status.BAD_REQUEST)
                    .entity(Map.of("error", unreadable.getMessage()))
                    .build();
        }
    }
}
