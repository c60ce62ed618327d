package dev.limiter.benchmarks;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.nio.charset.StandardCharsets;

/**
 * The same endpoint without a limit, with a {@code GET} of a pooled client, and with our script
 * called by hand.
 */
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
    @Path("get")
    public String get(@QueryParam("caller") String caller) {
        byte[] text = ByHand.POOL.get(("caller:" + caller).getBytes(StandardCharsets.UTF_8));
        return text == null ? "ok" : new String(text, StandardCharsets.UTF_8);
    }

    @GET
    @Path("hand")
    @ByHand.Checked
    public String byHand() {
        return "ok";
    }
}
