package dev.limiter.quarkus.deployment;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.internal.declaration.AnnotationFinder;
import io.quarkus.builder.item.SimpleBuildItem;
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

    /** The limits that are written on each place, or inherited there. */
    Map<String, List<RateLimited>> limits() {
        Map<String, List<RateLimited>> limits = new TreeMap<>();
        for (Class<?> type : classes) {
            limits.put(type.getSimpleName(), written(AnnotationFinder.on(type)));
            Stream.concat(Stream.of(type.getMethods()), Stream.of(type.getDeclaredMethods()))
                    .forEach(method -> limits.put(
                            type.getSimpleName() + '.' + method.getName(), written(AnnotationFinder.on(method))));
        }
        limits.values().removeIf(List::isEmpty);
        return limits;
    }

    private static List<RateLimited> written(AnnotationFinder.Written written) {
        return written.limits().stream().map(AnnotationFinder.Found::limited).toList();
    }
}
