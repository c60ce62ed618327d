package dev.limiter.example.wars;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;

/** Sets the attribute that a key counts. */
@Provider
@PreMatching
public class TenantFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        request.setProperty("tenant", request.getHeaderString("X-Tenant"));
    }
}
