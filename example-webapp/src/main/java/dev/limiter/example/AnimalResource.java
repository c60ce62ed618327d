package dev.limiter.example;

import static dev.limiter.Algorithm.GCRA;

import dev.limiter.RateLimited;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/**
 * One request a second on average, ten at once: for each user, and for each address of callers
 * without a log-in.
 */
@Path("animals")
@ApplicationScoped
@Produces(MediaType.APPLICATION_JSON)
public class AnimalResource {

    @Inject
    Zoo zoo;

    @GET
    @RateLimited(name = "animals", key = "{user|ip}", algorithm = GCRA, limit = 60, window = "1m", burst = 10)
    public List<Animal> all() {
        return zoo.animals();
    }
}
