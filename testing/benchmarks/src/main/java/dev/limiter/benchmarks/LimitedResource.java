package dev.limiter.benchmarks;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** The same endpoint with a limit that admits, and with one that rejects. */
@Path("")
public final class LimitedResource {
    static final String ADMITS = "admits";
    static final long LIMIT = 10_000_000;

    /** For Jersey. */
    public LimitedResource() {}

    @GET
    @Path("limited")
    @RateLimited(name = ADMITS, key = "{query:caller}", algorithm = Algorithm.GCRA, limit = LIMIT, window = "1s")
    public String limited() {
        return "ok";
    }

    @GET
    @Path("rejected")
    @RateLimited(name = "rejects", key = "{query:caller}", algorithm = Algorithm.GCRA, limit = 1, window = "1d")
    public String rejected() {
        return "ok";
    }
}
