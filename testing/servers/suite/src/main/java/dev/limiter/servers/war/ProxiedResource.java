package dev.limiter.servers.war;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A bean behind a client proxy and an interceptor. */
@Path("proxied")
@ApplicationScoped
@Watched
@Counted
public class ProxiedResource {

    @GET
    public String get() {
        return "proxied";
    }
}
