package dev.limiter.jaxrs;

/**
 * Names the other end of a request's connection, where no servlet container does. A CDI bean of
 * this type, or one as the property of that name of the application, makes the built-in
 * {@link ClientAddress} work there: it reads the forwarding header if the peer is within
 * {@code limiter.trusted-proxies}. In a servlet container it is not asked.
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
