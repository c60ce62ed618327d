package dev.limiter.example;

import dev.limiter.Decision;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;
import java.security.Principal;
import java.util.List;

/** Records each request that a limit decided on. */
@Provider
public class MarkFilter implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        List<Decision> decisions = RateLimits.of(request).decisions();
        if (decisions.isEmpty()) {
            return;
        }
        Principal user = request.getSecurityContext().getUserPrincipal();
        // Jersey injects nothing into filters.
        CDI.current()
                .select(Marks.class)
                .get()
                .record(request.getUriInfo().getPath(), user == null ? "" : user.getName(), decisions);
    }
}
