package dev.limiter.jaxrs.internal.request;

import jakarta.annotation.Priority;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MediaType;

/**
 * Writes the decisions into the response, and gives back units that the response does not count.
 * It runs nearly last, because other filters may change the status.
 */
@Priority(RateLimitResponseFilter.NEARLY_LAST)
public record RateLimitResponseFilter(ResponseHeaders told) implements ContainerResponseFilter {
    static final int NEARLY_LAST = 100;

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        RequestState state = told.write(request, response);
        if (state != null && !response.hasEntity() && !isEventStream(response.getMediaType())) {
            state.finished();
        }
    }

    /** Whether the body comes later, one event after the other. */
    static boolean isEventStream(MediaType type) {
        return MediaType.SERVER_SENT_EVENTS_TYPE.isCompatible(type);
    }
}
