package dev.limiter.quarkus.deployment;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.internal.declaration.AnnotationFinder;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import io.quarkus.builder.item.SimpleBuildItem;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The application of Jakarta REST, as Quarkus has found it. */
final class ResourcesBuildItem extends SimpleBuildItem {
    final Class<?> application;
    final Set<Class<?>> roots;
    final Set<Class<?>> classes;

    /**
     * @param application its class
     * @param roots its root resources
     * @param classes that may answer requests, or carry limits
     */
    ResourcesBuildItem(Class<?> application, Set<Class<?>> roots, Set<Class<?>> classes) {
        this.application = application;
        this.roots = roots;
        this.classes = classes;
    }

    /** The limits of what answers requests, by the place where they are written or inherited. */
    Map<String, Set<RateLimited>> limits() {
        Map<String, Set<RateLimited>> limits = new TreeMap<>();
        answering().forEach(type -> limits.putAll(limits(type)));
        return limits;
    }

    /** The classes that locators return. */
    Set<Class<?>> subResources() {
        Set<Class<?>> others = answering();
        others.removeAll(roots);
        others.removeIf(type -> Modifier.isAbstract(type.getModifiers()) || Application.class.isAssignableFrom(type));
        return others;
    }

    /**
     * Those of a class. Overloads are one place.
     *
     * @throws LinkageError if the class names types that do not exist
     */
    static Map<String, Set<RateLimited>> limits(Class<?> type) {
        Map<String, Set<RateLimited>> limits = new TreeMap<>();
        add(limits, type.getSimpleName(), AnnotationFinder.on(type));
        Stream.concat(Stream.of(type.getMethods()), Stream.of(type.getDeclaredMethods()))
                .forEach(method ->
                        add(limits, type.getSimpleName() + '.' + method.getName(), AnnotationFinder.on(method)));
        return limits;
    }

    private static void add(Map<String, Set<RateLimited>> limits, String place, AnnotationFinder.Written written) {
        written.limits()
                .forEach(found -> limits.computeIfAbsent(place, none -> new LinkedHashSet<>())
                        .add(found.limited()));
    }

    /** The classes without those whose limits no request meets. */
    Set<Class<?>> answering() {
        Set<Class<?>> answering = new LinkedHashSet<>(classes);
        answering.removeIf(type -> DeclarationWarnings.ofBean(type).isPresent());
        return answering;
    }
}
