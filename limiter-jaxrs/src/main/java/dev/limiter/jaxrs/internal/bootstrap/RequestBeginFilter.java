package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestServices;
import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.annotation.Priority;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;

/**
 * Makes the state of each request that no servlet filter of this application has seen, and tells
 * CDI of it: there are no servlets, the container ran no initializer, or another application
 * forwards the request. A method without limits has a state, too: it may ask policies of its own
 * accord.
 */
@PreMatching
@Priority(RequestBeginFilter.FIRST)
record RequestBeginFilter(RequestServices services) implements ContainerRequestFilter {
    /** Before the filters of a service, which may inject the limits of the request. */
    static final int FIRST = 0;

    @Override
    public void filter(ContainerRequestContext request) {
        if (services.known(request.getProperty(RateLimitFilter.STATE)) != null) {
            return;
        }
        RequestState state = services.begin(false);
        request.setProperty(RateLimitFilter.STATE, state);
        if (Platform.hasCdi()) {
            CurrentLimits.begins(state);
        }
    }
}
