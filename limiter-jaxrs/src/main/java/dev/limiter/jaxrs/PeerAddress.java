package dev.limiter.jaxrs;

/**
 * Names the other end of a request's connection where no servlet container does. Provide it as a
 * CDI bean, or as the property of the application that is named after this type. Then the built-in
 * {@link ClientAddress} works, and reads the forwarding header if the peer is within
 * {@code limiter.trusted-proxies}. A servlet container never asks it.
 */
@FunctionalInterface
public interface PeerAddress {

    /**
     * {@return the address of the peer, such as {@code 192.0.2.1}, without a port; never null}
     *
     * @param request the request at hand
     */
    String of(LimitedRequest request);
}
