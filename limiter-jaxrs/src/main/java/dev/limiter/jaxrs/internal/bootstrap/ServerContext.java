package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.PeerAddress;

/**
 * The data of the server about an application.
 *
 * @param contextPath names the application; empty for none
 * @param beforeBeans runs before the limiter's bean is looked for, which needs the context path
 * @param clientAddress names clients where no CDI bean is asked; null for none
 * @param peerAddress names the peer of each request; null if no servlet container does, and the
 *     application did not say
 */
public record ServerContext(
        String contextPath, Runnable beforeBeans, ClientAddress clientAddress, PeerAddress peerAddress) {

    /** A web application in a servlet container. */
    public static ServerContext ofServlets(String contextPath, Runnable beforeBeans) {
        return new ServerContext(contextPath, beforeBeans, null, LimitedRequest::peerAddress);
    }

    /**
     * An application without a servlet container.
     *
     * @param clientAddress names clients; null if a CDI bean does
     */
    public static ServerContext withoutServlets(ClientAddress clientAddress) {
        return new ServerContext("", () -> {}, clientAddress, null);
    }

    /**
     * The same with peers.
     *
     * @param named names them; null if a CDI bean does
     */
    ServerContext withPeers(PeerAddress named) {
        return new ServerContext(contextPath, beforeBeans, clientAddress, named);
    }
}
