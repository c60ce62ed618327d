package dev.limiter.quarkus.deployment;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.internal.declaration.AnnotationFinder;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import io.quarkus.builder.item.SimpleBuildItem;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
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
    private final boolean hasLocators;

    /**
     * @param application its class
     * @param roots its root resources
     * @param classes that may answer requests, or carry limits
     * @param hasLocators whether a method returns a resource; of which class, only the call says
     */
    ResourcesBuildItem(Class<?> application, Set<Class<?>> roots, Set<Class<?>> classes, boolean hasLocators) {
        this.application = application;
        this.roots = roots;
        this.classes = classes;
        this.hasLocators = hasLocators;
    }

    /** The limits of what answers requests, by the place where they are written or inherited. */
    Map<String, Set<RateLimited>> limits() {
        Map<String, Set<RateLimited>> limits = new TreeMap<>();
        answering().forEach(type -> limits.putAll(limits(type)));
        return limits;
    }

    /** Whether all requests have a limit. */
    boolean limitsAll() {
        return !limits(application).isEmpty();
    }

    /** The methods that no limit can count, each as class{@code #}method. */
    Set<String> free() {
        Set<String> free = new HashSet<>();
        if (!limitsAll() && !hasLocators) {
            roots.forEach(root -> methods(root)
                    .map(Method::getName)
                    .filter(method -> isFree(root, method))
                    .forEach(method -> free.add(root.getName() + '#' + method)));
        }
        return free;
    }

    private static boolean isFree(Class<?> type, String method) {
        Map<String, Set<RateLimited>> limits = limits(type);
        return !limits.containsKey(type.getSimpleName()) && !limits.containsKey(place(type, method));
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
        methods(type).forEach(method -> add(limits, place(type, method.getName()), AnnotationFinder.on(method)));
        return limits;
    }

    private static Stream<Method> methods(Class<?> type) {
        return Stream.concat(Stream.of(type.getMethods()), Stream.of(type.getDeclaredMethods()));
    }

    private static String place(Class<?> type, String method) {
        return type.getSimpleName() + '.' + method;
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
