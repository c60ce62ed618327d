package dev.limiter.jaxrs.internal.declaration;

import jakarta.ws.rs.core.Application;

/** The class that a service wrote, behind the application that its server hands out. */
public final class ApplicationUnwrapper {
    /** Jersey wraps an application that is none into one. */
    private static final String WRAPPER = "org.glassfish.jersey.server.ResourceConfig";

    private ApplicationUnwrapper() {}

    public static Class<?> of(Application injected) {
        Application wrapped = wrapped(injected);
        return wrapped == injected ? injected.getClass() : of(wrapped);
    }

    /** Itself, if it is no wrapper. */
    private static Application wrapped(Application application) {
        for (Class<?> type = application.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(WRAPPER)) {
                try {
                    return (Application) type.getMethod("getApplication").invoke(application);
                } catch (ReflectiveOperationException unlikeJersey) {
                    // The method must not ignore this: the limits of the application would apply to no request.
                    throw new IllegalStateException("cannot look into " + application.getClass(), unlikeJersey);
                }
            }
        }
        return application;
    }
}
