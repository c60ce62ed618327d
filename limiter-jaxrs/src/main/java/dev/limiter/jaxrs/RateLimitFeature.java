package dev.limiter.jaxrs;

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
    /** Under this name the feature is known to what it registers. */
    static final String FEATURE = "dev.limiter.feature";

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
        if (context.getConfiguration().getProperty(FEATURE) != null) {
            return false;
        }
        context.property(FEATURE, this);
        if (Surroundings.hasServlets()) {
            context.register(
                    ServletSurroundings.class); // knows the deployment that servlets share, and goes on with it
        } else {
            registerWithoutServlets(context);
        }
        return true;
    }

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
