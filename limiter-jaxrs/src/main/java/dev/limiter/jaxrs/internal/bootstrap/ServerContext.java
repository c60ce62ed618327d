package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.PeerAddress;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.address.ClientAddressOfApplication;
import dev.limiter.jaxrs.internal.address.ForwardedClientAddress;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.spi.Settings;
import jakarta.ws.rs.ApplicationPath;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The data of the server about an application.
 *
 * @param hasServlets whether a servlet container runs the application
 * @param contextPath names the application; empty for none
 * @param beforeBeans runs before the limiter's bean is looked for, which needs the context path
 * @param clientAddress names clients where no CDI bean is asked; null for none
 * @param peerAddress names the peer of each request; null if no servlet container does, and the
 *     application did not say
 * @param paths where a server has put an application of Jakarta REST, if it tells
 */
public record ServerContext(
        boolean hasServlets,
        String contextPath,
        Runnable beforeBeans,
        ClientAddress clientAddress,
        PeerAddress peerAddress,
        Function<Class<?>, Optional<String>> paths) {

    /** A web application in a servlet container. */
    public static ServerContext ofServlets(String contextPath, Runnable beforeBeans) {
        return ofServlets(contextPath, beforeBeans, application -> Optional.empty());
    }

    /** A web application in a servlet container, which has mappings for applications. */
    public static ServerContext ofServlets(
            String contextPath, Runnable beforeBeans, Function<Class<?>, Optional<String>> paths) {
        return new ServerContext(true, contextPath, beforeBeans, null, LimitedRequest::peerAddress, paths);
    }

    /**
     * An application without a servlet container.
     *
     * @param clientAddress names clients; null if a CDI bean does
     */
    public static ServerContext withoutServlets(ClientAddress clientAddress) {
        return new ServerContext(false, "", () -> {}, clientAddress, null, application -> Optional.empty());
    }

    /**
     * The same with peers.
     *
     * @param named names them; null if a CDI bean does
     */
    public ServerContext withPeers(PeerAddress named) {
        return new ServerContext(hasServlets, contextPath, beforeBeans, clientAddress, named, paths);
    }

    /** The path of an application of Jakarta REST; empty if it is not known to be deployed. */
    public Optional<String> path(Class<?> application) {
        return paths.apply(application)
                .or(() -> Stream.<Class<?>>iterate(application, type -> type != null, Class::getSuperclass)
                        .map(type -> type.getAnnotation(ApplicationPath.class))
                        .filter(path -> path != null)
                        .map(ApplicationPath::value)
                        .findFirst());
    }

    /**
     * Names the client of each request: the application does, or a CDI bean, else its peer and the
     * proxies that are trusted.
     *
     * @throws RateLimitDeploymentException if nothing names the peer
     */
    ClientAddress addresses(Settings settings) {
        if (clientAddress != null) {
            return new ClientAddressOfApplication(clientAddress);
        }
        return Platform.bean(ClientAddress.class)
                .<ClientAddress>map(ClientAddressOfApplication::new)
                .orElseGet(() -> new ForwardedClientAddress(settings, peers()));
    }

    private PeerAddress peers() {
        return Optional.ofNullable(peerAddress)
                .or(() -> Platform.bean(PeerAddress.class))
                .orElseThrow(() -> new RateLimitDeploymentException(
                        List.of("Without a servlet container the client's address, on which a"
                                + " request without a key is counted, is not known: provide a CDI bean of type "
                                + PeerAddress.class.getName()
                                + ", or set one as the property of that name in the application:"
                                + " new ResourceConfig(...).property(PeerAddress.class.getName(), address)."
                                + " To name clients yourself, whatever the proxies, provide a ClientAddress instead")));
    }
}
