package dev.limiter.quarkus;

import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.io.IOException;

/** Decides limits that may know the caller. */
@Singleton
class AfterAuthenticationFilter implements ContainerRequestFilter {
    private final Decisions decisions;

    AfterAuthenticationFilter(Decisions decisions) {
        this.decisions = decisions;
    }

    @Override
    public void filter(ContainerRequestContext request) throws IOException {
        decisions.afterAuthentication(ServerRequest.of(request));
    }
}
