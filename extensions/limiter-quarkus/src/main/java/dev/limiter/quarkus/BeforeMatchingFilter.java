package dev.limiter.quarkus;

import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.io.IOException;

/** Decides the limits of the application that also count requests without a method. */
@Singleton
class BeforeMatchingFilter implements ContainerRequestFilter {
    private final Decisions decisions;

    BeforeMatchingFilter(Decisions decisions) {
        this.decisions = decisions;
    }

    @Override
    public void filter(ContainerRequestContext request) throws IOException {
        decisions.beforeMatching(ServerRequest.of(request));
    }
}
