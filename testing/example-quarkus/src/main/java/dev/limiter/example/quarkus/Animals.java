package dev.limiter.example.quarkus;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** The animals of a zoo. */
@Path("animals")
public class Animals {
    /** All of them, five times in ten seconds. */
    @GET
    @RateLimited(name = "animals", key = "{ip}", algorithm = Algorithm.GCRA, limit = 5, window = "10s")
    public Uni<String> all() {
        return Uni.createFrom().item("lion, okapi");
    }

    /** How many, as often as one likes. */
    @GET
    @Path("count")
    public Uni<String> count() {
        return Uni.createFrom().item("2");
    }
}
