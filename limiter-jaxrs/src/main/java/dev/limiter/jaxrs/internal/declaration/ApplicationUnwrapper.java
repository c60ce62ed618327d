package dev.limiter.jaxrs.internal.declaration;

import jakarta.ws.rs.core.Application;
import java.lang.reflect.Modifier;
import java.util.Set;

/** Finds the application class of a service behind the object of its server. */
public final class ApplicationUnwrapper {
    /** The class with which Jersey wraps an application. */
    private static final Set<String> WRAPPER = Set.of("org.glassfish.jersey.server.ResourceConfig");

    private ApplicationUnwrapper() {}

    public static Class<?> of(Application injected) {
        Application wrapped = isWrapper(injected) ? (Application) ofJersey(injected, "getApplication") : injected;
        return wrapped == injected ? injected.getClass() : of(wrapped);
    }

    /** Whether Jersey tells what the application is made of. */
    static boolean isWrapper(Application application) {
        return TypeArguments.isAny(application.getClass(), WRAPPER);
    }

    /** Calls a method of a public class of Jersey, which the class of the target may extend. */
    static Object ofJersey(Object target, String method) {
        Class<?> type = target.getClass();
        while (!Modifier.isPublic(type.getModifiers())) {
            type = type.getSuperclass();
        }
        try {
            return type.getMethod(method).invoke(target);
        } catch (ReflectiveOperationException unlikeJersey) {
            // Ignoring this would leave the limits of the application without effect.
            throw new IllegalStateException("cannot look into " + target.getClass(), unlikeJersey);
        }
    }
}
