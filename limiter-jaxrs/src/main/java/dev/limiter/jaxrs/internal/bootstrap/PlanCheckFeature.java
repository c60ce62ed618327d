package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.internal.declaration.Plans;
import dev.limiter.jaxrs.internal.policy.Plan;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Reads the plan of each resource method that the server shows at deployment, so that mistakes
 * are found then.
 */
record PlanCheckFeature(Plans plans, ApplicationRuntime runtime) implements DynamicFeature {
    @Override
    public void configure(ResourceInfo resource, FeatureContext context) {
        try {
            Plan plan = plans.of(resource.getResourceClass(), resource.getResourceMethod());
            if (!plan.isEmpty()) {
                runtime.prepare();
            }
        } catch (RuntimeException wrong) {
            runtime.failed(wrong);
            throw wrong;
        }
    }
}
