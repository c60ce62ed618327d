package dev.limiter.quarkus.deployment;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;

/** A sub-resource of two libraries, of which Quarkus indexes the one with the interface. */
public final class Elsewhere {
    private Elsewhere() {}

    public interface Known {
        @GET
        Uni<String> get();
    }

    public static class Unknown implements Known {
        @Override
        @RateLimited(name = "elsewhere", key = "{ip}", algorithm = Algorithm.FIXED_WINDOW, limit = 1, window = "1d")
        public Uni<String> get() {
            return Uni.createFrom().item("elsewhere");
        }
    }
}
