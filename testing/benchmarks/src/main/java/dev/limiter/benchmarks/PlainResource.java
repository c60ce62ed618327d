package dev.limiter.benchmarks;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** An endpoint without a limit. */
@Path("plain")
public final class PlainResource {

    /** For Jersey. */
    public PlainResource() {}

    @GET
    public String answer() {
        return "ok";
    }
}
