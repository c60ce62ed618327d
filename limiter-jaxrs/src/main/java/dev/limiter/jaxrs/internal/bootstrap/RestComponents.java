package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.declaration.ApplicationUnwrapper;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.declaration.Plans;
import dev.limiter.jaxrs.internal.form.ContainerRequestData;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RateLimitResponseFilter;
import dev.limiter.jaxrs.internal.request.ResponseWriteInterceptor;
import dev.limiter.jaxrs.internal.response.NotAdmittedMapper;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Providers;

/**
 * Registers everything that takes part in a request of Jakarta REST.
 *
 * @param matched the resource method of the current request
 * @param application the application, which may be a proxy
 * @param headers those of the current request
 * @param providers the mappers of the application
 */
public record RestComponents(ResourceInfo matched, Application application, HttpHeaders headers, Providers providers) {
    /** The property of the configuration under which the servlet feature finds these components. */
    public static final String PROPERTY = "dev.limiter.feature";

    /** The application may say by a property of its own where clients' addresses come from, which a servlet container would know. */
    public void registerWithoutServlets(FeatureContext context) {
        ApplicationRuntime deployment = ApplicationRuntime.ofApplication();
        if (context.getConfiguration().getProperty(ClientAddress.class.getName()) instanceof ClientAddress addresses) {
            deployment.addressesBy(addresses);
        }
        register(context, deployment, ContainerRequestData.NONE);
    }

    /**
     * Everything that takes part in a request.
     *
     * @param deployment may be shared with other applications of Jakarta REST
     * @param container what the servlet container knows of the current request
     */
    public void register(FeatureContext context, ApplicationRuntime deployment, ContainerRequestData container) {
        Plans plans = plans(deployment);
        RateLimitFilter limits = new RateLimitFilter(plans, deployment, container, matched, providers);
        context.register(new RateLimitFilter.BeforeMatching(limits));
        context.register(new RateLimitFilter.BeforeAuthentication(limits));
        context.register(new RateLimitFilter.AfterAuthentication(limits));
        context.register(new RateLimitResponseFilter());
        context.register(new ResponseWriteInterceptor());
        context.register(new NotAdmittedMapper(deployment, headers));
        context.register(new PlanCheckFeature(plans, deployment));
    }

    private Plans plans(ApplicationRuntime deployment) {
        try {
            return new Plans(new PlanReader(deployment.policies(), ApplicationUnwrapper.of(application)));
        } catch (RateLimitDeploymentException wrong) {
            deployment.failed(wrong);
            throw wrong;
        }
    }
}
