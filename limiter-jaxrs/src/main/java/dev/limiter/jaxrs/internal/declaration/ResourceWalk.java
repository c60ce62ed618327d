package dev.limiter.jaxrs.internal.declaration;

import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The classes that answer the requests of an application, each with the paths that lead to it:
 * root resources, and what their locators name.
 */
public final class ResourceWalk {
    /** More than any application has; from here on no class is added at another path. */
    private static final int MOST = 10_000;

    /** Implementations of Jakarta REST: their OPTIONS and their WADL are no endpoints. */
    private static final List<String> SERVERS = List.of("org.glassfish.jersey.", "org.jboss.resteasy.");

    private final List<Stop> stops = new ArrayList<>();
    private final List<Locator> unknown = new ArrayList<>();
    private final Set<Class<?>> types = new HashSet<>();

    /**
     * A class at one path.
     *
     * @param path from the application on, without a slash at its ends
     * @param parents the classes whose locators lead to it
     */
    record Stop(String path, Class<?> type, Set<Class<?>> parents) {
        /** Whether it answers itself, and no class that extends or implements it. */
        boolean isConcrete() {
            return ResourceWalk.isConcrete(type);
        }
    }

    /** A locator that does not name the class it returns. */
    record Locator(String path, Class<?> type, Method method) {}

    /**
     * @param roots classes with a path of their own; others are left out
     */
    ResourceWalk(Collection<Class<?>> roots) {
        Deque<Stop> waiting = new ArrayDeque<>();
        roots.stream()
                .filter(ResourceWalk::isRootResource)
                .distinct()
                .sorted(Comparator.comparing(Class::getName))
                .forEach(root ->
                        waiting.add(new Stop(path(ResourceMethods.pathOf(root).value()), root, Set.of())));
        while (!waiting.isEmpty()) {
            Stop stop = waiting.remove();
            try {
                List<Method> locators = ResourceMethods.locators(stop.type());
                stops.add(stop);
                locators.forEach(locator -> follow(locator, stop, waiting));
            } catch (LinkageError | TypeNotPresentException unusable) {
                // It names types that do not exist, so it is never used here.
            }
        }
    }

    /** A locator of its own class, directly or through others, leads to nothing new. */
    private void follow(Method locator, Stop from, Deque<Stop> waiting) {
        String path = path(from.path(), ResourceMethods.path(locator));
        Class<?> type = ResourceMethods.subResource(locator);
        Set<Class<?>> parents = new HashSet<>(from.parents());
        parents.add(from.type());
        if (!ResourceMethods.isSubResource(type)) {
            unknown.add(new Locator(path, from.type(), locator));
        } else if (!parents.contains(type) && (types.add(type) || stops.size() + waiting.size() < MOST)) {
            waiting.add(new Stop(path, type, parents));
        }
    }

    /** The classes, each as often as paths lead to it; of very many paths, some. */
    List<Stop> stops() {
        return stops;
    }

    /** The locators that do not name what they return. */
    List<Locator> unknown() {
        return unknown;
    }

    /** Parts of a path, without a slash at its ends. */
    static String path(String... parts) {
        return String.join(
                "/",
                Stream.of(parts)
                        .map(part -> part.replaceAll("^/+|/+$", ""))
                        .filter(part -> !part.isEmpty())
                        .toList());
    }

    /** Whether a class answers requests to a path of its own. */
    public static boolean isRootResource(Class<?> type) {
        try {
            return isConcrete(type) && ResourceMethods.pathOf(type) != null && !isOfServer(type);
        } catch (LinkageError | TypeNotPresentException unusable) {
            return false;
        }
    }

    /** Whether a class is of what implements Jakarta REST, wherever it was found. */
    public static boolean isOfServer(Class<?> type) {
        return SERVERS.stream().anyMatch(type.getName()::startsWith);
    }

    /** Whether each server finds a class: not all look for the path on what it implements. */
    static boolean hasPathItself(Class<?> type) {
        return isRootResource(type) && type.isAnnotationPresent(Path.class);
    }

    static boolean isConcrete(Class<?> type) {
        return !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
    }
}
