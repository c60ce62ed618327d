package dev.limiter.jaxrs;

/**
 * Tells who sent a request. A CDI bean of this type replaces the built-in one, which takes the peer's address and, when the
 * peer is within {@code limiter.trusted-proxies}, walks the forwarding header.
 */
@FunctionalInterface
public interface ClientAddress {

    /**
     * {@return the text that <code>{ip}</code> counts; never null, and equal for requests of one client}
     *
     * @param request the request at hand
     */
    String of(LimitedRequest request);
}
