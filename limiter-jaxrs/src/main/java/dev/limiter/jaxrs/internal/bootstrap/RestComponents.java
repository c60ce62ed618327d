package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.PeerAddress;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.declaration.ApplicationUnwrapper;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.declaration.Plans;
import dev.limiter.jaxrs.internal.form.ContainerRequestData;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RateLimitResponseFilter;
import dev.limiter.jaxrs.internal.request.RefusalResponse;
import dev.limiter.jaxrs.internal.request.RequestServices;
import dev.limiter.jaxrs.internal.request.ResponseWriteInterceptor;
import dev.limiter.jaxrs.internal.response.NotAdmittedMapper;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Providers;
import java.util.HashSet;
import java.util.Set;

/**
 * Registers everything that takes part in a request of Jakarta REST.
 *
 * @param matched the resource method of the current request
 * @param application the application, which may be a proxy
 * @param headers those of the current request
 * @param providers the mappers of the application
 */
public record RestComponents(ResourceInfo matched, Application application, HttpHeaders headers, Providers providers) {
    /**
     * The property of the configuration under which the servlet feature finds these components.
     */
    public static final String PROPERTY = "dev.limiter.components";

    /**
     * Registers everything without a servlet container. The application may name clients or
     * their peers by a property of its own.
     */
    public void registerWithoutServlets(FeatureContext context) {
        ServerContext server = ServerContext.withoutServlets(property(context, ClientAddress.class))
                .withPeers(property(context, PeerAddress.class));
        RestProperties properties = RestProperties.of(context.getConfiguration());
        ApplicationRuntime runtime = ApplicationRuntime.ofApplication(server, properties, new DeploymentFailure());
        closeAtTheEnd(context, runtime);
        register(context, runtime, ContainerRequestData.NONE);
        if (Platform.hasCdi()) {
            LimiterExtension.tell(runtime.limits());
        }
    }

    private static <T> T property(FeatureContext context, Class<T> type) {
        Object given = context.getConfiguration().getProperty(type.getName());
        return type.isInstance(given) ? type.cast(given) : null;
    }

    /**
     * Everything that takes part in a request.
     *
     * @param runtime may be shared with other applications of Jakarta REST
     * @param container what the servlet container knows of the current request
     */
    public void register(FeatureContext context, ApplicationRuntime runtime, ContainerRequestData container) {
        if (context.getConfiguration().getProperty(RateLimiter.class.getName()) instanceof RateLimiter given) {
            runtime.use(given);
        }
        context.property(DeployedLimits.class.getName(), runtime.limits());
        if (runtime.operations() != null) {
            context.property(Operations.class.getName(), runtime.operations());
        }
        Plans plans = plans(runtime, context.getConfiguration());
        RequestServices requests = runtime.requests();
        RateLimitFilter limits = new RateLimitFilter(
                plans, requests, new RefusalResponse(requests.problems(), providers), container, matched);
        context.register(new RequestBeginFilter(requests));
        if (!plans.beforeMatching().isEmpty()) {
            context.register(new RateLimitFilter.BeforeMatching(limits));
        }
        context.register(new RateLimitFilter.BeforeAuthentication(limits));
        context.register(new RateLimitFilter.AfterAuthentication(limits));
        context.register(new RateLimitResponseFilter(requests.headers()));
        context.register(new ResponseWriteInterceptor());
        context.register(new NotAdmittedMapper(requests.problems(), headers));
        context.register(new PlanCheckFeature(plans, runtime));
    }

    /** Closes a runtime that no listener of a servlet container closes. */
    public void closeAtTheEnd(FeatureContext context, ApplicationRuntime runtime) {
        RuntimeEnd.register(context, runtime);
    }

    private Plans plans(ApplicationRuntime runtime, Configuration configuration) {
        try {
            PlanReader reader = new PlanReader(runtime.policies(), ApplicationUnwrapper.of(application));
            Plans plans = new Plans(reader, runtime.started(application, roots(configuration)));
            plans.readAll();
            if (RuntimeEnd.isIn(configuration)) { // no initializer has looked for them
                runtime.requirePolicies(RestProperties.of(configuration));
            }
            return plans;
        } catch (RateLimitDeploymentException wrong) {
            runtime.failed(wrong);
            throw wrong;
        }
    }

    /**
     * The classes of the application, among them its root resources; null if it has all that the
     * server has found. Jersey tells them by its configuration, RESTEasy by the application.
     */
    @SuppressWarnings("deprecation") // what an application lists by getSingletons has endpoints
    private Set<Class<?>> roots(Configuration configuration) {
        Set<Class<?>> listed = new HashSet<>();
        add(listed, application.getClasses(), application.getSingletons());
        boolean all = listed.isEmpty();
        add(listed, configuration.getClasses(), configuration.getInstances());
        return all && listed.stream().noneMatch(type -> type.isAnnotationPresent(Path.class)) ? null : listed;
    }

    private static void add(Set<Class<?>> listed, Set<Class<?>> classes, Set<Object> instances) {
        if (classes != null) {
            listed.addAll(classes);
        }
        if (instances != null) {
            instances.forEach(each -> listed.add(each.getClass()));
        }
    }
}
