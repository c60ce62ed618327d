package dev.limiter.jaxrs;

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
record RestComponents(ResourceInfo matched, Application application, HttpHeaders headers, Providers providers) {
    /** The property of the configuration under which the servlet feature finds these components. */
    static final String PROPERTY = "dev.limiter.feature";

    /** The application may say by a property of its own where clients' addresses come from, which a servlet container would know. */
    void registerWithoutServlets(FeatureContext context) {
        Deployment deployment = Deployment.ofApplication();
        if (context.getConfiguration().getProperty(ClientAddress.class.getName()) instanceof ClientAddress addresses) {
            deployment.addressesBy(addresses);
        }
        register(context, deployment, Container.NONE);
    }

    /**
     * Everything that takes part in a request.
     *
     * @param deployment may be shared with other applications of Jakarta REST
     * @param container what the servlet container knows of the current request
     */
    void register(FeatureContext context, Deployment deployment, Container container) {
        Plans plans = plans(deployment);
        RateLimitFilter limits = new RateLimitFilter(plans, deployment, container, matched, providers);
        context.register(new RateLimitFilter.BeforeMatching(limits));
        context.register(new RateLimitFilter.BeforeAuthentication(limits));
        context.register(new RateLimitFilter.AfterAuthentication(limits));
        context.register(new RateLimitResponseFilter());
        context.register(new EndOfWriting());
        context.register(new NotAdmittedMapper(deployment, headers));
        context.register(new DeploymentCheck(plans, deployment));
    }

    private Plans plans(Deployment deployment) {
        try {
            return new Plans(new PlanReader(deployment.policies(), ApplicationClass.of(application)));
        } catch (RateLimitDeploymentException wrong) {
            deployment.failed(wrong);
            throw wrong;
        }
    }
}
