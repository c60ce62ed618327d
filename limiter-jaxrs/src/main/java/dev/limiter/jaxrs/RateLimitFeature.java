package dev.limiter.jaxrs;

import dev.limiter.spi.Settings;
import jakarta.annotation.Priority;
import jakarta.ws.rs.ConstrainedTo;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.Provider;

/**
 * Puts {@link dev.limiter.RateLimited} in force. Servers find it through {@code META-INF/services} or as a provider; found
 * twice, it acts once.
 *
 * <p>The priority is unlike any other on purpose: RESTEasy keeps only one of several service-loaded features of equal priority.
 */
@Provider
@ConstrainedTo(RuntimeType.SERVER)
@Priority(4137)
public final class RateLimitFeature implements Feature {
    static final String DEPLOYMENT = "dev.limiter.deployment";

    @Context
    private ResourceInfo matched;

    /** For the Jakarta REST runtime. */
    public RateLimitFeature() {}

    @Override
    public boolean configure(FeatureContext context) {
        if (context.getConfiguration().getProperty(DEPLOYMENT) != null) {
            return false;
        }
        Settings settings = new MicroProfileSettings();
        Deployment deployment = new Deployment(settings);
        Plans plans = new Plans();
        context.property(DEPLOYMENT, deployment);
        if (Surroundings.hasServlets()) {
            context.register(ServletSurroundings.class);
        }
        context.register(
                new RateLimitFilter(plans, matched, deployment::limiter, deployment, Delay.configured(settings)));
        context.register(new DeploymentCheck(plans, deployment));
        return true;
    }
}
