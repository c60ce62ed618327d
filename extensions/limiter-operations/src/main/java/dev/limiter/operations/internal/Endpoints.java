package dev.limiter.operations.internal;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.response.ProblemDetails;
import dev.limiter.jaxrs.internal.response.ProblemResponse;
import dev.limiter.operations.CallerLimits;
import dev.limiter.operations.LimitsResource;
import dev.limiter.spi.Settings;
import jakarta.annotation.Priority;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.Response;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Lets operators alone reach {@link LimitsResource}, and answers for {@link CallerLimits}. */
final class Endpoints {
    private static final System.Logger LOG = System.getLogger("dev.limiter.operations");

    private final Settings settings;
    private final Function<ContainerRequestContext, Response> callers;
    private boolean warned;

    /** @param callers answers what a caller asks of its own limits */
    Endpoints(Settings settings, Function<ContainerRequestContext, Response> callers) {
        this.settings = settings;
        this.callers = callers;
    }

    synchronized void configure(ResourceInfo method, FeatureContext context) {
        Class<?> type = method.getResourceClass();
        if (LimitsResource.class.isAssignableFrom(type)) {
            Set<String> roles = roles(type);
            if (!roles.isEmpty()) {
                context.register(new OperatorFilter(roles));
            } else if (OperationsSettings.UNPROTECTED.in(settings)) {
                warnUnprotected(type);
            } else {
                throw new RateLimitDeploymentException(List.of(type.getName()
                        + " changes limits, and nothing says who may; add @RolesAllowed to it, or set "
                        + OperationsSettings.ROLE.name() + "; " + OperationsSettings.UNPROTECTED.name()
                        + "=true lets everybody"));
            }
        } else if (CallerLimits.class.isAssignableFrom(type)) {
            context.register(new CallerFilter(callers));
        }
    }

    private void warnUnprotected(Class<?> type) {
        if (!warned) {
            warned = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Everybody may change limits by {0}, since {1} is true",
                    type.getName(),
                    OperationsSettings.UNPROTECTED.name());
        }
    }

    /** Those of the annotation, which a proxy of CDI does not have, and of the setting. */
    private Set<String> roles(Class<?> resource) {
        Set<String> roles = new HashSet<>();
        for (Class<?> type = resource; type != LimitsResource.class; type = type.getSuperclass()) {
            RolesAllowed allowed = type.getAnnotation(RolesAllowed.class);
            if (allowed != null) {
                roles.addAll(List.of(allowed.value()));
                break;
            }
        }
        OperationsSettings.ROLE.ifSet(settings).ifPresent(roles::add);
        return roles;
    }

    /** Some servers read {@code @RolesAllowed} only if they are told to. */
    @Priority(Priorities.AUTHORIZATION)
    private record OperatorFilter(Set<String> roles) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            if (roles.stream().noneMatch(request.getSecurityContext()::isUserInRole)) {
                ProblemDetails problem = ProblemDetails.refused(
                        Response.Status.FORBIDDEN.getStatusCode(), "Forbidden", "Limits are for operators.");
                request.abortWith(
                        ProblemResponse.of(problem, request.getHeaders().get("Accept")));
            }
        }
    }

    /** A filter, because only filters are given the request that the limits read. */
    private record CallerFilter(Function<ContainerRequestContext, Response> callers) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            request.abortWith(callers.apply(request));
        }
    }
}
