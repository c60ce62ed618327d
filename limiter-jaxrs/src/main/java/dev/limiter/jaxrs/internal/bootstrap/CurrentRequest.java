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

    /** Null until a filter has met the request, or somebody on Quarkus has asked. */
    RequestState state() {
        return state;
    }
}
