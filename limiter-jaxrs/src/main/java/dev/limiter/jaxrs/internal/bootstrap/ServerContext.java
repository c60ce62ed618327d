package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.ClientAddress;

/**
 * The data of the server about an application.
 *
 * @param inServletContainer whether the server knows the peer of each request
 * @param contextPath names the application; empty for none
 * @param beforeBeans runs before the limiter's bean is looked for, which needs the context path
 * @param clientAddress names clients where no CDI bean is asked; null for none
 */
public record ServerContext(
        boolean inServletContainer, String contextPath, Runnable beforeBeans, ClientAddress clientAddress) {

    /** A web application in a servlet container. */
    public static ServerContext ofServlets(String contextPath, Runnable beforeBeans) {
        return new ServerContext(true, contextPath, beforeBeans, null);
    }

    /**
     * An application without a servlet container.
     *
     * @param clientAddress names clients; null if a CDI bean does
     */
    public static ServerContext withoutServlets(ClientAddress clientAddress) {
        return new ServerContext(false, "", () -> {}, clientAddress);
    }
}
