package dev.limiter.jaxrs.internal.request;

import dev.limiter.jaxrs.internal.response.CorsExposure;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import dev.limiter.jaxrs.internal.response.RateLimitHeaders;
import dev.limiter.jaxrs.internal.response.RetryAfterHeader;
import dev.limiter.jaxrs.internal.response.ServerTimingHeader;
import jakarta.annotation.Priority;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.util.List;

/**
 * Writes the decisions into the response, and gives back units that the response does not count.
 * It runs nearly last, because other filters may change the status.
 */
@Priority(RateLimitResponseFilter.NEARLY_LAST)
public record RateLimitResponseFilter(RateLimitHeaders fields) implements ContainerResponseFilter {
    static final int NEARLY_LAST = 100;

    private static final int FIRST_FAILURE = 400;

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (!(request.getProperty(RateLimitFilter.STATE) instanceof RequestState state)) {
            return;
        }
        state.respondsWith(response.getStatus());
        boolean hasNews = state.hasNews() || response.getHeaders().containsKey(RetryAfterHeader.NAME);
        if (hasNews && response.getStatus() != Response.Status.NOT_MODIFIED.getStatusCode()) {
            tell(state, request, response);
        }
        if (!response.hasEntity() && !isEventStream(response.getMediaType())) {
            state.finished();
        }
    }

    /** Whether the body comes later, one event after the other. */
    static boolean isEventStream(MediaType type) {
        return MediaType.SERVER_SENT_EVENTS_TYPE.isCompatible(type);
    }

    private void tell(RequestState state, ContainerRequestContext request, ContainerResponseContext response) {
        MultivaluedMap<String, Object> headers = response.getHeaders();
        List<PublishedResult> published = state.published();
        if (!published.isEmpty()) {
            fields.write(published, headers::putSingle);
        }
        if (state.rejection() != null
                && response.getStatus() >= FIRST_FAILURE
                && !headers.containsKey(RetryAfterHeader.NAME)) {
            headers.putSingle(RetryAfterHeader.NAME, state.retryAfterSeconds());
        }
        double heldMillis = state.takeHeldMillis();
        if (heldMillis > 0) {
            headers.add(ServerTimingHeader.NAME, ServerTimingHeader.of(heldMillis));
        }
        if ((!published.isEmpty() || headers.containsKey(RetryAfterHeader.NAME))
                && request.getHeaderString("Origin") != null) {
            CorsExposure.add(published.isEmpty() ? List.of() : fields.names(), state.exposedAround(), headers);
        }
    }
}
