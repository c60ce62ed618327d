package dev.limiter.servers.war;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;

/**
 * The CORS of a service, which comes before the limiter's filter of responses as filters without
 * a priority do.
 */
@Provider
public class ExposingFilter implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getHeaderString("Origin") != null) {
            response.getHeaders().putSingle("Access-Control-Allow-Origin", "*");
            response.getHeaders().putSingle("Access-Control-Expose-Headers", "X-Own, ratelimit-policy");
        }
    }
}
