package dev.limiter.quarkus;

import io.quarkus.resteasy.reactive.server.runtime.ResteasyReactiveSecurityContext;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.SecurityContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.security.Principal;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/**
 * The caller of a request where Quarkus authenticates late. It does so when a limit asks for the
 * caller; wrong credentials then get 401.
 */
final class DeferredUser extends ResteasyReactiveSecurityContext {
    private final RoutingContext routing;

    private DeferredUser(RoutingContext routing) {
        super(routing);
        this.routing = routing;
    }

    /** The same request, which knows its caller. */
    static ContainerRequestContext in(
            ResteasyReactiveContainerRequestContext context, ResteasyReactiveRequestContext request) {
        RoutingContext routing = request.unwrap(RoutingContext.class);
        boolean isKnown = routing.user() != null
                || routing.get(QuarkusHttpUser.DEFERRED_IDENTITY_KEY) == null
                || !(context.getSecurityContext() instanceof ResteasyReactiveSecurityContext);
        if (isKnown) {
            return context;
        }
        SecurityContext deferred = new DeferredUser(routing);
        return (ContainerRequestContext) Proxy.newProxyInstance(
                DeferredUser.class.getClassLoader(),
                new Class<?>[] {ResteasyReactiveContainerRequestContext.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("getSecurityContext")
                                ? deferred
                                : method.invoke(context, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    @Override
    public Principal getUserPrincipal() {
        SecurityIdentity identity = QuarkusHttpUser.getSecurityIdentityBlocking(routing, null);
        return identity == null || identity.isAnonymous() ? null : identity.getPrincipal();
    }
}
