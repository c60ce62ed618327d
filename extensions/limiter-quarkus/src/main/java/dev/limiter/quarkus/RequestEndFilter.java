package dev.limiter.quarkus;

import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;

/** Tells clients what was decided; nearly last, because other filters may change the status. */
@Singleton
class RequestEndFilter implements ContainerResponseFilter {
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        RequestEnd end = RequestEnd.of(ServerRequest.of(request));
        if (end != null) {
            end.respond(response);
        }
    }
}
