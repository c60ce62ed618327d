package dev.limiter.jaxrs;

import jakarta.ws.rs.HttpMethod;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The methods of a class that answer requests. A method without any annotation of Jakarta REST has those of the method that it
 * overrides or implements.
 */
final class ResourceMethods {
    private static final String JAKARTA_REST = "jakarta.ws.rs";

    private ResourceMethods() {}

    /** All of a class, in a fixed order; the one that was matched in any case. */
    static List<Method> of(Class<?> resourceClass, Method matched) {
        List<Method> methods = new ArrayList<>();
        for (Method each : resourceClass.getMethods()) {
            if (!each.isBridge() && answersRequests(each)) {
                methods.add(each);
            }
        }
        if (!methods.contains(matched)) {
            methods.add(matched);
        }
        methods.sort(Comparator.comparing(Method::toString));
        return methods;
    }

    /** All that answer no requests themselves, such as locators and helpers, in a fixed order. */
    static List<Method> othersOf(Class<?> resourceClass) {
        return Stream.of(resourceClass.getDeclaredMethods())
                .filter(method -> !method.isBridge() && !method.isSynthetic() && !answersRequests(method))
                .sorted(Comparator.comparing(Method::toString))
                .toList();
    }

    /** The method that carries the annotations of Jakarta REST for this one: itself, or one of a super type. */
    static Method declaring(Method method) {
        return declaring(method.getDeclaringClass(), method).orElse(method);
    }

    private static boolean answersRequests(Method method) {
        return Stream.of(declaring(method).getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().isAnnotationPresent(HttpMethod.class));
    }

    /** The class before its super class before its interfaces, as the specification has it. */
    private static Optional<Method> declaring(Class<?> type, Method method) {
        if (type == null) {
            return Optional.empty();
        }
        Optional<Method> here = Stream.of(type.getDeclaredMethods())
                .filter(each -> !each.isBridge() && each.getName().equals(method.getName()))
                .filter(each -> List.of(each.getParameterTypes()).equals(List.of(method.getParameterTypes())))
                .filter(each -> Stream.of(each.getAnnotations()).anyMatch(ResourceMethods::isOfJakartaRest))
                .findFirst();
        return here.or(() -> declaring(type.getSuperclass(), method))
                .or(() -> Stream.of(type.getInterfaces())
                        .flatMap(each -> declaring(each, method).stream())
                        .findFirst());
    }

    private static boolean isOfJakartaRest(Annotation annotation) {
        return annotation.annotationType().getName().startsWith(JAKARTA_REST)
                || annotation.annotationType().isAnnotationPresent(HttpMethod.class);
    }
}
