package dev.limiter.servers.war;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;

/** Lets a caller name another method than the one on the wire. */
@Provider
@PreMatching
public class OverridingFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        String method = request.getHeaderString("X-HTTP-Method-Override");
        if (method != null) {
            request.setMethod(method);
        }
    }
}
