package dev.limiter.jaxrs.internal.bootstrap;

import jakarta.annotation.PreDestroy;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Closes the runtime when Jersey ends, where no listener of a servlet container does. Jersey ends
 * only what it makes itself, so this is registered as a class. It is a feature because Jersey
 * makes one at the start.
 */
public final class RuntimeEnd implements DynamicFeature {
    @Context
    private Configuration application;

    /** For the Jakarta REST runtime. */
    public RuntimeEnd() {}

    static void register(FeatureContext context, ApplicationRuntime runtime) {
        context.property(RuntimeEnd.class.getName(), runtime);
        context.register(RuntimeEnd.class);
    }

    /** Whether this closes the runtime of an application. */
    static boolean isIn(Configuration application) {
        return application.getProperty(RuntimeEnd.class.getName()) != null;
    }

    @Override
    public void configure(ResourceInfo resource, FeatureContext context) {
        // no resource needs anything
    }

    @PreDestroy
    void close() {
        ((ApplicationRuntime) application.getProperty(RuntimeEnd.class.getName())).close();
    }
}
