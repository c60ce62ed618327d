package dev.limiter.servers.war;

import dev.limiter.jaxrs.RateLimits;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.ext.Provider;

/** A filter of the service's own that asks a policy by name, before the limits of the method. */
@Provider
@Priority(Priorities.AUTHENTICATION)
public class CarrierFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        String account = request.getHeaderString("Account");
        if (account != null) {
            String policy = request.getHeaderString("Policy");
            RateLimits.of(request).acquire(policy == null ? "carrier" : policy, account);
        }
    }
}
