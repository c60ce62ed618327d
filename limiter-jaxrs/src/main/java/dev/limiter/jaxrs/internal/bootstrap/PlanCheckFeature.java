package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.internal.declaration.Plans;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Reads the plan of each resource method that the server shows at deployment, so that mistakes
 * are found then. Servers show the methods of a sub-resource at the first request that comes to it.
 */
record PlanCheckFeature(Plans plans, ApplicationRuntime runtime) implements DynamicFeature {
    @Override
    public void configure(ResourceInfo resource, FeatureContext context) {
        boolean isLimited;
        try {
            isLimited = !plans.of(resource.getResourceClass(), resource.getResourceMethod())
                    .isEmpty();
        } catch (RuntimeException wrong) {
            runtime.failure().failed(wrong); // it may be a sub-resource, at a request: other limits stay
            throw wrong;
        }
        try {
            if (isLimited) {
                runtime.prepare();
            }
            if (runtime.operations() != null) {
                runtime.operations().configure(resource, context);
            }
        } catch (RuntimeException wrong) {
            runtime.failed(wrong);
            throw wrong;
        }
    }
}
