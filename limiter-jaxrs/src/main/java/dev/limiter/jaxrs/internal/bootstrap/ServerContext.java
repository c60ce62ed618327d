package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.ClientAddress;
import java.util.function.Consumer;

/**
 * The data of the server about an application.
 *
 * @param inServletContainer whether the server knows the peer of each request
 * @param contextPath names the application; empty for none
 * @param closer takes a limiter that has to be closed when the application ends
 * @param beforeBeans runs before the limiter's bean is looked for, which needs the context path
 * @param clientAddress names clients where no CDI bean is asked; null for none
 */
public record ServerContext(
        boolean inServletContainer,
        String contextPath,
        Consumer<RateLimiter> closer,
        Runnable beforeBeans,
        ClientAddress clientAddress) {

    /** A web application in a servlet container. */
    public static ServerContext ofServlets(String contextPath, Consumer<RateLimiter> closer, Runnable beforeBeans) {
        return new ServerContext(true, contextPath, closer, beforeBeans, null);
    }

    /**
     * An application without a servlet container.
     *
     * @param clientAddress names clients; null if a CDI bean does
     */
    public static ServerContext withoutServlets(ClientAddress clientAddress) {
        return new ServerContext(false, "", limiter -> {}, () -> {}, clientAddress);
    }
}
