package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.jaxrs.Endpoint;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The endpoints of one Jakarta REST application, and classes that it turns out to have, too. */
public final class ApplicationEndpoints {
    private final String whose;
    private final EndpointReader reader;
    private final ResourceWalk walk;
    private final List<BuiltEndpoint> built;
    private final RequireLimits required;
    private final Set<Class<?>> listed = new HashSet<>();
    private final List<Endpoint> endpoints;

    ApplicationEndpoints(
            Class<?> application,
            EndpointReader reader,
            ResourceWalk walk,
            List<BuiltEndpoint> built,
            RequireLimits required) {
        this.whose = "endpoints of " + application.getSimpleName();
        this.reader = reader;
        this.walk = walk;
        this.built = built;
        this.required = required;
        walk.stops().forEach(stop -> listed.add(stop.type()));
        this.endpoints = new CopyOnWriteArrayList<>(reader.read(walk, built));
    }

    List<Endpoint> all() {
        return List.copyOf(endpoints);
    }

    /** The classes that answer requests, each with one of its methods. */
    Map<Class<?>, Method> classes() {
        Map<Class<?>, Method> found = new LinkedHashMap<>();
        walk.stops().stream()
                .filter(ResourceWalk.Stop::isConcrete)
                .forEach(stop -> ResourceMethods.of(stop.type()).stream()
                        .findFirst()
                        .ifPresent(method -> found.put(stop.type(), method)));
        built.forEach(each -> found.putIfAbsent(each.type(), each.method()));
        return found;
    }

    /** Whether no locator hides a class. */
    boolean areKnown() {
        return walk.unknown().isEmpty() && walk.stops().stream().allMatch(ResourceWalk.Stop::isConcrete);
    }

    /** Logs the end of the table: the endpoints without limits. */
    void log() {
        EndpointList.log(whose, endpoints, required);
    }

    /**
     * Takes a class that the server has shown. What a locator may have returned is only warned
     * of: its application was let in.
     *
     * @throws RateLimitDeploymentException if limits are required, and an endpoint has none
     */
    void shown(Class<?> type, List<Method> methods) {
        List<Method> others = methods.stream()
                .filter(method -> !listed.contains(type) || ResourceMethods.isByBuilder(type, method))
                .filter(method -> built.stream()
                        .noneMatch(each -> each.type() == type && each.method().equals(method)))
                .toList();
        if (ResourceWalk.isOfServer(type) || others.isEmpty()) {
            return;
        }
        List<Endpoint> more = reader.readOthers(type, others);
        if (!isOfLocator(type)) {
            EndpointList.check(more, required);
        }
        listed.add(type);
        endpoints.addAll(more);
        if (!EndpointList.missing(more).isEmpty()) {
            EndpointList.log("further " + whose, more, required);
        }
    }

    private boolean isOfLocator(Class<?> type) {
        return Stream.concat(
                        walk.stops().stream()
                                .filter(stop -> !stop.parents().isEmpty())
                                .map(ResourceWalk.Stop::type),
                        walk.unknown().stream().map(locator -> ResourceMethods.subResource(locator.method())))
                .anyMatch(returned -> returned == Class.class || returned.isAssignableFrom(type));
    }
}
