package dev.limiter.quarkus.deployment;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.internal.declaration.AnnotationFinder;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import io.quarkus.builder.item.SimpleBuildItem;
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
    Map<String, List<RateLimited>> limits() {
        Map<String, List<RateLimited>> limits = new TreeMap<>();
        for (Class<?> type : answering()) {
            limits.put(type.getSimpleName(), written(AnnotationFinder.on(type)));
            Stream.concat(Stream.of(type.getMethods()), Stream.of(type.getDeclaredMethods()))
                    .forEach(method -> limits.put(
                            type.getSimpleName() + '.' + method.getName(), written(AnnotationFinder.on(method))));
        }
        limits.values().removeIf(List::isEmpty);
        return limits;
    }

    /** The classes without those whose limits no request meets. */
    Set<Class<?>> answering() {
        Set<Class<?>> answering = new LinkedHashSet<>(classes);
        answering.removeIf(type -> DeclarationWarnings.ofBean(type).isPresent());
        return answering;
    }

    private static List<RateLimited> written(AnnotationFinder.Written written) {
        return written.limits().stream().map(AnnotationFinder.Found::limited).toList();
    }
}
