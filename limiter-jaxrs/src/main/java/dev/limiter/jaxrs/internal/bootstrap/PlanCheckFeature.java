package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.internal.declaration.Plans;
import dev.limiter.jaxrs.internal.plan.Plan;
import dev.limiter.spi.InvalidSettingException;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;

/** Reads the plan of each resource method that the server shows at deployment, so that a mistake is found then. */
final class PlanCheckFeature implements DynamicFeature {
    private final Plans plans;
    private final ApplicationRuntime deployment;

    PlanCheckFeature(Plans plans, ApplicationRuntime deployment) {
        this.plans = plans;
        this.deployment = deployment;
    }

    @Override
    public void configure(ResourceInfo resource, FeatureContext context) {
        try {
            Plan plan = plans.of(resource.getResourceClass(), resource.getResourceMethod());
            if (!plan.isEmpty()) {
                deployment.prepare();
            }
        } catch (InvalidSettingException | IllegalStateException wrong) {
            deployment.failed(wrong);
            throw wrong;
        }
    }
}
