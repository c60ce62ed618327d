package dev.limiter.jaxrs;

/**
 * Finds the address of a request's client. Without a CDI bean of this type, it is the peer's
 * address, or that in the forwarding header if the peer is within {@code limiter.trusted-proxies}.
 */
@FunctionalInterface
public interface ClientAddress {

    /**
     * {@return the text that <code>{ip}</code> counts; never null, and equal for requests of one
     * client}
     *
     * @param request the request at hand
     */
    String of(LimitedRequest request);
}
