package dev.limiter.quarkus.deployment;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.internal.declaration.AnnotationFinder;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import dev.limiter.jaxrs.internal.declaration.ResourceMethods;
import dev.limiter.jaxrs.internal.declaration.ResourceWalk;
import dev.limiter.jaxrs.internal.declaration.TypeArguments;
import io.quarkus.builder.item.SimpleBuildItem;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
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
    private final boolean asksInCode;

    /**
     * @param application its class
     * @param roots its root resources
     * @param classes that may answer requests, or carry limits
     * @param hasLocators whether a method returns a resource; of which class, only the call says
     * @param asksInCode whether code asks for limits; of which request, only the call says
     */
    ResourcesBuildItem(
            Class<?> application, Set<Class<?>> roots, Set<Class<?>> classes, boolean hasLocators, boolean asksInCode) {
        this.application = application;
        this.roots = roots;
        this.classes = classes;
        this.hasLocators = hasLocators;
        this.asksInCode = asksInCode;
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

    /**
     * The methods that no limit can count, and that ask for none, each as class{@code #}method. One
     * that the list of endpoints does not show is not among them, since its first request shows it.
     */
    Set<String> free() {
        Set<String> free = new HashSet<>();
        // A bean with limits counts the caller of the request.
        if (!limitsAll() && !hasLocators && !asksInCode && answering().equals(classes)) {
            roots.stream().filter(ResourceWalk::isRootResource).forEach(root -> addFree(free, root));
        }
        return free;
    }

    private static void addFree(Set<String> free, Class<?> root) {
        Map<String, Set<RateLimited>> limits = limits(root);
        if (!limits.containsKey(root.getSimpleName())) {
            ResourceMethods.of(root).stream()
                    .map(Method::getName)
                    .filter(method -> !limits.containsKey(place(root, method)))
                    .forEach(method -> free.add(root.getName() + '#' + method));
        }
    }

    /** The classes that locators return. */
    Set<Class<?>> subResources() {
        Set<Class<?>> others = answering();
        others.removeAll(roots);
        others.removeIf(type -> Modifier.isAbstract(type.getModifiers()) || Application.class.isAssignableFrom(type));
        return others;
    }

    /**
     * What is wrong with limits of beans that stand in for a root resource which they extend, such
     * as alternatives: Quarkus matches the resource, and does not know which bean will answer.
     */
    List<String> standIns() {
        return subResources().stream()
                .filter(type -> !hasLocators && DeclarationWarnings.isLimited(type))
                .flatMap(type -> roots.stream()
                        .filter(root -> root.isAssignableFrom(type))
                        .map(root -> "@RateLimited on " + type.getSimpleName() + ": Quarkus matches requests to "
                                + root.getSimpleName() + ", so none meets this limit; write it there"))
                .toList();
    }

    /**
     * Those of a class. Overloads are one place.
     *
     * @throws LinkageError if the class names types that do not exist
     */
    static Map<String, Set<RateLimited>> limits(Class<?> type) {
        Map<String, Set<RateLimited>> limits = new TreeMap<>();
        add(limits, type.getSimpleName(), AnnotationFinder.on(type));
        methods(type).forEach(method -> add(limits, place(type, method.getName()), AnnotationFinder.on(type, method)));
        return limits;
    }

    private static Stream<Method> methods(Class<?> type) {
        return TypeArguments.withSuperTypes(type).stream().flatMap(each -> Stream.of(each.getDeclaredMethods()));
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
