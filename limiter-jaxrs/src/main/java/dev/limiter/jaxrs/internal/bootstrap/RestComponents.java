package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.PeerAddress;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.declaration.ApplicationUnwrapper;
import dev.limiter.jaxrs.internal.declaration.BuiltEndpoint;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RateLimitResponseFilter;
import dev.limiter.jaxrs.internal.request.RequestAccess;
import dev.limiter.jaxrs.internal.request.ResponseWriteInterceptor;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Providers;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

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
        register(context, runtime, () -> null, Map::of);
        if (Platform.hasCdi()) {
            LimiterExtension.tell(runtime);
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
     * @param peer the other end of the connection of the current request; null if it is not known
     * @param parameters those of the servlet container, as in {@link RequestAccess}
     */
    public void register(
            FeatureContext context,
            ApplicationRuntime runtime,
            Supplier<String> peer,
            Supplier<Map<String, String[]>> parameters) {
        if (context.getConfiguration().getProperty(RateLimiter.class.getName()) instanceof RateLimiter given) {
            runtime.use(given);
        }
        context.property(DeployedLimits.class.getName(), runtime.limits());
        if (runtime.operations() != null) {
            context.property(Operations.class.getName(), runtime.operations());
        }
        RestLimits limits = limits(
                runtime,
                context.getConfiguration(),
                new RequestAccess(this::matched, request -> providers, request -> peer.get(), parameters));
        context.register(new RequestBeginFilter(runtime.requests()));
        if (!limits.plans().beforeMatching().isEmpty()) {
            context.register(new RateLimitFilter.BeforeMatching(limits.filter()));
        }
        context.register(new RateLimitFilter.BeforeAuthentication(limits.filter()));
        context.register(new RateLimitFilter.AfterAuthentication(limits.filter()));
        context.register(new RateLimitResponseFilter(limits.headers()));
        context.register(new ResponseWriteInterceptor());
        context.register(limits.mapper(headers));
        context.register(new PlanCheckFeature(limits.plans(), runtime));
    }

    /** Closes a runtime that no listener of a servlet container closes. */
    public void closeAtTheEnd(FeatureContext context, ApplicationRuntime runtime) {
        RuntimeEnd.register(context, runtime);
    }

    /**
     * The method of the current request. Jersey's request knows it itself; the way through the
     * proxy costs more than everything else for a method without limits.
     */
    private ResourceInfo matched(ContainerRequestContext request) {
        return request.getUriInfo() instanceof ResourceInfo known ? known : matched;
    }

    private RestLimits limits(ApplicationRuntime runtime, Configuration configuration, RequestAccess server) {
        try {
            RestLimits limits = RestLimits.of(
                    runtime,
                    ApplicationUnwrapper.of(application),
                    roots(configuration),
                    BuiltEndpoint.of(application),
                    server);
            if (RuntimeEnd.isIn(configuration)) { // no initializer has looked for them
                runtime.requirePolicies(RestProperties.of(configuration));
            }
            return limits;
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
