package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.RateLimiter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;

/**
 * What the module for operators does in one application. Without the module nothing of it is
 * there, and nothing runs.
 */
public interface Operations extends AutoCloseable {

    /** Begins the module in an application; found by {@link java.util.ServiceLoader}. */
    interface Provider {
        /** Called once for each application, before its declarations are read. */
        Operations begin(OperatedApplication application);
    }

    /** The limiter that filters ask. Called once, when CDI runs. */
    RateLimiter over(RateLimiter limiter);

    /**
     * Takes a resource method at its deployment, such as one of the module's own resources.
     *
     * @throws dev.limiter.jaxrs.RateLimitDeploymentException if it may not be deployed
     */
    void configure(ResourceInfo method, FeatureContext context);

    @Override
    void close();
}
