package dev.limiter.benchmarks;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** The same endpoint without a limit, and with our script called by hand. */
@Path("")
public final class PlainResource {

    /** For Jersey. */
    public PlainResource() {}

    @GET
    @Path("plain")
    public String plain() {
        return "ok";
    }

    @GET
    @Path("hand")
    @ByHand.Checked
    public String byHand() {
        return "ok";
    }
}
