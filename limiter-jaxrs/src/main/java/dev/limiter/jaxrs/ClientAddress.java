package dev.limiter.jaxrs;

/**
 * Finds the address of a request's client. A CDI bean of this type replaces the built-in one.
 * That one takes the peer's address, and reads the forwarding header if the peer is within
 * {@code limiter.trusted-proxies}.
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
