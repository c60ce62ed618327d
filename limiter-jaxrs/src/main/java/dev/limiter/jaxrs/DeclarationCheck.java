package dev.limiter.jaxrs;

import jakarta.ws.rs.core.Application;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Reads the limits that are written on classes of an application before any of them is in force. Some servers start Jakarta REST
 * with the first request, or go on without it when it fails: a wrong declaration has to be found before.
 */
final class DeclarationCheck {
    private final LimitReader limits;

    /**
     * @param policies not those in force: what is read here may belong to a class that is never used
     */
    DeclarationCheck(Policies policies) {
        this.limits = new LimitReader(policies, false);
    }

    /**
     * @throws RateLimitDeploymentException with every problem of every class
     */
    void check(Set<Class<?>> classes) {
        Set<Class<?>> inOrder = new TreeSet<>(Comparator.comparing(Class::getName));
        inOrder.addAll(classes);
        List<String> problems = new ArrayList<>();
        for (Class<?> type : inOrder) {
            boolean application = Application.class.isAssignableFrom(type);
            limits.read(LimitAnnotations.written(type), Place.of(type), application, problems);
            for (Method method : methodsOf(type)) {
                limits.read(LimitAnnotations.written(method), Place.of(type, method), false, problems);
            }
        }
        if (!problems.isEmpty()) {
            throw new RateLimitDeploymentException(problems.stream().distinct().toList());
        }
    }

    /** A class whose methods name types that are not there is never used here. */
    private static List<Method> methodsOf(Class<?> type) {
        try {
            return Stream.of(type.getDeclaredMethods())
                    .filter(method -> !method.isBridge())
                    .toList();
        } catch (NoClassDefFoundError unusable) {
            return List.of();
        }
    }
}
