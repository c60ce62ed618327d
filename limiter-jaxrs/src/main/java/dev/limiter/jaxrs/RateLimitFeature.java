package dev.limiter.jaxrs;

import dev.limiter.jaxrs.internal.bootstrap.RestComponents;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.servlet.ServletRateLimitFeature;
import jakarta.annotation.Priority;
import jakarta.ws.rs.ConstrainedTo;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.Providers;
import java.util.List;

/**
 * Puts {@link dev.limiter.RateLimited} in force. Servers find it through {@code META-INF/services}
 * or as a provider; if it is registered twice, it acts once.
 *
 * <p>Its priority differs from all others on purpose: of several service-loaded features with
 * equal priority RESTEasy keeps a single one.
 */
@Provider
@ConstrainedTo(RuntimeType.SERVER)
@Priority(4137)
public final class RateLimitFeature implements Feature {
    @Context
    private ResourceInfo matched;

    @Context
    private Application application;

    @Context
    private HttpHeaders headers;

    @Context
    private Providers providers;

    /** For the Jakarta REST runtime. */
    public RateLimitFeature() {}

    @Override
    public boolean configure(FeatureContext context) {
        if (context.getConfiguration().getProperty(RestComponents.PROPERTY) != null) {
            return false;
        }
        RestComponents components = new RestComponents(matched, application, headers, providers);
        context.property(RestComponents.PROPERTY, components);
        if (Platform.hasServlets()) {
            context.register(ServletRateLimitFeature.class); // has the runtime that servlets share, and goes on with it
            if (!context.getConfiguration().isRegistered(ServletRateLimitFeature.class)) { // as on Quarkus
                throw new RateLimitDeploymentException(List.of("No limit would act: this server takes RateLimitFeature,"
                        + " but drops the feature that it registers; the README lists the servers that run it"));
            }
        } else {
            components.registerWithoutServlets(context);
        }
        return true;
    }
}
