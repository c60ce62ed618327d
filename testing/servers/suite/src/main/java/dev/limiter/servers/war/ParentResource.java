package dev.limiter.servers.war;

import jakarta.ws.rs.GET;

/** Limits for classes that inherit. */
@Counted
public abstract class ParentResource {

    @GET
    public String get() {
        return "inherited";
    }
}
