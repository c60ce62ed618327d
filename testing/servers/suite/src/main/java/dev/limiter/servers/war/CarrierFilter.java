package dev.limiter.servers.war;

import dev.limiter.jaxrs.RateLimits;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.ext.Provider;

/** A filter of the service's own that asks a policy by its name. */
@Provider
public class CarrierFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        String account = request.getHeaderString("Account");
        if (account != null) {
            RateLimits.of(request).acquire("carrier", account);
        }
    }
}
