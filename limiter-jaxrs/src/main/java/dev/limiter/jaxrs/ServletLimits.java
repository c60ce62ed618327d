package dev.limiter.jaxrs;

import dev.limiter.jaxrs.internal.servlet.ServletInitializer;
import jakarta.servlet.ServletContext;

/** Gives the limits of a web application without CDI: see {@link DeployedLimits}. */
public final class ServletLimits {
    private ServletLimits() {}

    /**
     * {@return the limits of a web application}
     *
     * @param application the context that a servlet, a filter or a
     *     {@code ServletContextListener} has, or that {@code @Context} injects
     */
    public static DeployedLimits of(ServletContext application) {
        return ServletInitializer.of(application).limits();
    }
}
