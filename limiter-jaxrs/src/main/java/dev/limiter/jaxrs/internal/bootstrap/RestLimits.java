package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.internal.declaration.BuiltEndpoint;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.declaration.Plans;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestAccess;
import dev.limiter.jaxrs.internal.request.ResponseHeaders;
import dev.limiter.jaxrs.internal.response.NotAdmittedMapper;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.Set;

/**
 * The limits of one application of Jakarta REST, and what takes part in its requests.
 * {@link RestComponents} registers this where a server runs features; an extension for another
 * server takes the parts from here.
 *
 * @param filter decides
 * @param headers tell clients what was decided
 */
public record RestLimits(ApplicationRuntime runtime, Plans plans, RateLimitFilter filter, ResponseHeaders headers) {

    /**
     * Reads the limits of an application.
     *
     * @param runtime may be shared with other applications of Jakarta REST
     * @param application its class, whose limits all its methods have
     * @param roots its root resources; null if it has all that the server has found
     * @param built what builders of resources made
     * @throws dev.limiter.jaxrs.RateLimitDeploymentException if a declaration is wrong, or if
     *     limits are required, and an endpoint has none
     */
    public static RestLimits of(
            ApplicationRuntime runtime,
            Class<?> application,
            Set<Class<?>> roots,
            List<BuiltEndpoint> built,
            RequestAccess server) {
        PlanReader reader = new PlanReader(runtime.policies(), application);
        Plans plans = new Plans(reader, runtime.started(application, roots, built));
        plans.readAll();
        return new RestLimits(
                runtime,
                plans,
                new RateLimitFilter(plans, runtime.requests(), server),
                new ResponseHeaders(runtime.requests().headers()));
    }

    /**
     * Answers what is not admitted, if the service has no mapper of its own.
     *
     * @param request a proxy that knows the headers of the current request
     */
    public NotAdmittedMapper mapper(HttpHeaders request) {
        return new NotAdmittedMapper(runtime.requests().problems(), request);
    }
}
