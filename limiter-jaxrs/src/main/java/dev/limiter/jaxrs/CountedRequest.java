package dev.limiter.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;

/**
 * A request as key expressions see it.
 *
 * @param context the request
 * @param endpoint the matched resource method
 * @param addresses who sent it
 */
record CountedRequest(ContainerRequestContext context, String endpoint, ClientAddress addresses) {

    /** The client's address, as <code>{ip}</code> counts it. */
    String clientAddress() {
        return addresses.of(context);
    }
}
