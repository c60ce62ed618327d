package dev.limiter.quarkus;

import dev.limiter.jaxrs.internal.declaration.TypeArguments;
import dev.limiter.jaxrs.internal.request.RequestAccess;
import io.quarkus.arc.ClientProxy;
import io.quarkus.arc.Subclass;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;

/** What Quarkus knows of a request, on each of its threads. */
final class ServerRequest {
    private final Map<Asked, Matched> matched = new ConcurrentHashMap<>();

    private ServerRequest() {}

    /** For one application: dev mode has one after the other. */
    static RequestAccess access() {
        ServerRequest known = new ServerRequest();
        return new RequestAccess(
                request -> known.matched(of(request)),
                request -> of(request).getProviders(),
                request -> peer(of(request)),
                Map::of);
    }

    /** A resource method as Quarkus has it, and the class that answers. */
    private record Asked(ResteasyReactiveResourceInfo method, Class<?> type) {}

    /** The same for Jakarta REST. */
    private record Matched(Class<?> getResourceClass, Method getResourceMethod) implements ResourceInfo {}

    static ResteasyReactiveRequestContext of(ContainerRequestContext request) {
        return (ResteasyReactiveRequestContext)
                ((ResteasyReactiveContainerRequestContext) request).getServerRequestContext();
    }

    private ResourceInfo matched(ResteasyReactiveRequestContext request) {
        ResteasyReactiveResourceInfo method = request.getTarget().getLazyMethod();
        Asked asked = new Asked(method, type(request.getEndpointInstance(), method.getResourceClass()));
        return matched.computeIfAbsent(asked, ServerRequest::matched);
    }

    /**
     * The class of a sub-resource, which may be another one than its locator names. A root resource
     * is not there yet.
     */
    private static Class<?> type(Object subResource, Class<?> declared) {
        if (subResource == null) {
            return declared;
        }
        Class<?> type = ClientProxy.unwrap(subResource).getClass();
        return Subclass.class.isAssignableFrom(type) ? type.getSuperclass() : type;
    }

    /**
     * The method that runs. Where a super type has a type parameter, Quarkus knows the signature of
     * that type only.
     */
    private static Matched matched(Asked asked) {
        TypeArguments arguments = TypeArguments.of(asked.type());
        List<Method> named = TypeArguments.withSuperTypes(asked.type()).stream()
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(each ->
                        !each.isBridge() && each.getName().equals(asked.method().getName()))
                .toList();
        Class<?>[] parameters = named.stream()
                .filter(each ->
                        Arrays.equals(each.getParameterTypes(), asked.method().getParameterTypes()))
                .findFirst()
                .map(arguments::typesOf)
                .orElseThrow();
        return named.stream()
                .filter(each -> Arrays.equals(arguments.typesOf(each), parameters))
                .findFirst()
                .map(method -> new Matched(asked.type(), method))
                .orElseThrow();
    }

    /**
     * The other end of the connection. The request itself would name a client that a header
     * names, if Quarkus is told to believe it.
     */
    private static String peer(ResteasyReactiveRequestContext request) {
        return request.unwrap(HttpServerRequest.class)
                .connection()
                .remoteAddress()
                .hostAddress();
    }
}
