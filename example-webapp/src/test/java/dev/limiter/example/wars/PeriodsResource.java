package dev.limiter.example.wars;

import static dev.limiter.Algorithm.FIXED_WINDOW;

import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** A request in each period of the calendar, and the clock that says which period it is. */
@Path("periods")
@ApplicationScoped
public class PeriodsResource {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

    @Produces
    @ApplicationScoped
    public RateLimiter limiter() {
        return new LocalRateLimiter(now::get);
    }

    @PUT
    @Path("clock/{instant}")
    public void set(@PathParam("instant") String instant) {
        now.set(Instant.parse(instant));
    }

    @GET
    @Path("day")
    @RateLimited(name = "day", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1 day Europe/Paris")
    public String day() {
        return "today";
    }

    @GET
    @Path("week")
    @RateLimited(name = "week", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1 week Europe/Paris")
    public String week() {
        return "this week";
    }

    @GET
    @Path("month")
    @RateLimited(
            name = "month",
            key = "'all'",
            algorithm = FIXED_WINDOW,
            limit = 1,
            window = "1 month Europe/Paris from 31")
    public String month() {
        return "this month";
    }

    @GET
    @Path("quarter")
    @RateLimited(name = "quarter", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1 quarter")
    public String quarter() {
        return "this quarter";
    }

    @GET
    @Path("year")
    @RateLimited(
            name = "year",
            key = "'all'",
            algorithm = FIXED_WINDOW,
            limit = 1,
            window = "1 year Asia/Kathmandu from 02-29")
    public String year() {
        return "this year";
    }
}
