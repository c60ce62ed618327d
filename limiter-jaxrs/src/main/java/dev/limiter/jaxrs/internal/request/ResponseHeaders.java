package dev.limiter.jaxrs.internal.request;

import dev.limiter.jaxrs.internal.response.CorsExposure;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import dev.limiter.jaxrs.internal.response.RateLimitHeaders;
import dev.limiter.jaxrs.internal.response.RetryAfterHeader;
import dev.limiter.jaxrs.internal.response.ServerTimingHeader;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.util.List;

/** Tells clients what was decided, in the headers of a response. */
public record ResponseHeaders(RateLimitHeaders fields) {
    private static final int FIRST_FAILURE = 400;

    /**
     * Writes the headers, and notes the status.
     *
     * @return the state of the request; null if it has met no filter
     */
    public RequestState write(ContainerRequestContext request, ContainerResponseContext response) {
        if (!(request.getProperty(RateLimitFilter.STATE) instanceof RequestState state)) {
            return null;
        }
        state.respondsWith(response.getStatus());
        boolean hasNews = state.hasNews() || response.getHeaders().containsKey(RetryAfterHeader.NAME);
        if (hasNews && response.getStatus() != Response.Status.NOT_MODIFIED.getStatusCode()) {
            tell(state, request, response);
        }
        return state;
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
