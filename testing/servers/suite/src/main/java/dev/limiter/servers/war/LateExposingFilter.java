package dev.limiter.servers.war;

import jakarta.annotation.Priority;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;

/** Comes after the limiter's filter of responses. */
@Provider
@Priority(1)
public class LateExposingFilter implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getHeaderString("Origin") != null) {
            response.getHeaders().add("Access-Control-Expose-Headers", "X-Late");
        }
    }
}
