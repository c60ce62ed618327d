package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the limits of a class or a method: on itself, otherwise on what it extends or overrides,
 * otherwise on what it implements. An annotation that carries limits stands for them.
 */
public final class AnnotationFinder {
    private AnnotationFinder() {}

    /**
     * A limit as it was written.
     *
     * @param via the annotation that carries it, such as {@code @LoginProtection}; empty for
     *     none
     */
    public record Found(RateLimited limited, String via) {}

    /** All annotations of one element. */
    public record Written(List<Found> limits, List<RateLimitExempt> exemptions) {
        private static final Written NOTHING = new Written(List.of(), List.of());

        boolean isNothing() {
            return limits.isEmpty() && exemptions.isEmpty();
        }
    }

    public static Written on(Class<?> type) {
        return first(TypeArguments.withSuperTypes(type));
    }

    /** @param type has the method, or inherits it; another of its super types may carry the limits */
    public static Written on(Class<?> type, Method method) {
        return first(ResourceMethods.overridden(type, method));
    }

    private static Written first(List<? extends AnnotatedElement> elements) {
        return elements.stream()
                .map(AnnotationFinder::written)
                .filter(written -> !written.isNothing())
                .findFirst()
                .orElse(Written.NOTHING);
    }

    /** The annotations of this element itself. */
    public static Written written(AnnotatedElement element) {
        Written written = new Written(new ArrayList<>(), new ArrayList<>());
        collect(element, "", written, new HashSet<>());
        return written;
    }

    private static void collect(
            AnnotatedElement element, String via, Written into, Set<Class<? extends Annotation>> seen) {
        for (RateLimited limited : element.getAnnotationsByType(RateLimited.class)) {
            into.limits.add(new Found(limited, via));
        }
        into.exemptions.addAll(List.of(element.getAnnotationsByType(RateLimitExempt.class)));
        for (Annotation annotation : element.getAnnotations()) {
            Class<? extends Annotation> type = annotation.annotationType();
            boolean ofTheLanguage = type.getName().startsWith("java.");
            if (!ofTheLanguage && seen.add(type)) {
                collect(type, '@' + type.getSimpleName(), into, seen);
            }
        }
    }
}
