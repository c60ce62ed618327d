package dev.limiter.jaxrs.internal.declaration;

import jakarta.ws.rs.core.Application;

/** Finds the application class of a service behind the object of its server. */
public final class ApplicationUnwrapper {
    /** The class with which Jersey wraps an application. */
    private static final String WRAPPER = "org.glassfish.jersey.server.ResourceConfig";

    private ApplicationUnwrapper() {}

    public static Class<?> of(Application injected) {
        Application wrapped = wrapped(injected);
        return wrapped == injected ? injected.getClass() : of(wrapped);
    }

    /** The wrapped application; the application itself if it is no wrapper. */
    private static Application wrapped(Application application) {
        for (Class<?> type = application.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(WRAPPER)) {
                try {
                    return (Application) type.getMethod("getApplication").invoke(application);
                } catch (ReflectiveOperationException unlikeJersey) {
                    // Ignoring this would leave the limits of the application without effect.
                    throw new IllegalStateException("cannot look into " + application.getClass(), unlikeJersey);
                }
            }
        }
        return application;
    }
}
