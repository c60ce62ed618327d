package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.internal.request.RequestState;

/**
 * Holds the state of a request where no servlet container does: a bean that lives as long as the
 * request. Not final, because CDI makes a proxy of it.
 */
public class CurrentRequest {
    private RequestState state;

    /** For CDI. */
    public CurrentRequest() {}

    /** Notes the state. */
    public void begins(RequestState begun) {
        state = begun;
    }

    /** Null if the request has not met the filter. */
    RequestState state() {
        return state;
    }
}
