package dev.limiter.operations.internal;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.operations.CallerLimits;
import dev.limiter.operations.LimitsResource;
import dev.limiter.spi.Settings;
import jakarta.annotation.Priority;
import jakarta.annotation.security.DenyAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Lets operators alone reach {@link LimitsResource}, and answers for {@link CallerLimits}. */
final class Endpoints {
    private static final System.Logger LOG = System.getLogger("dev.limiter.operations");

    private final Settings settings;
    private final Function<ContainerRequestContext, Response> callers;

    /** @param callers answers what a caller asks of its own limits */
    Endpoints(Settings settings, Function<ContainerRequestContext, Response> callers) {
        this.settings = settings;
        this.callers = callers;
    }

    void configure(ResourceInfo method, FeatureContext context) {
        Class<?> type = method.getResourceClass();
        if (LimitsResource.class.isAssignableFrom(type)) {
            Set<String> roles = roles(type, method.getResourceMethod().getAnnotation(RolesAllowed.class));
            if (isDenied(type, method.getResourceMethod())) {
                context.register(new OperatorFilter(Set.of()));
            } else if (!roles.isEmpty()) {
                context.register(new OperatorFilter(roles));
            } else if (OperationsSettings.UNPROTECTED.in(settings)) {
                warnUnprotected(method);
            } else {
                throw new RateLimitDeploymentException(List.of(type.getName()
                        + " changes limits, and nothing says who may; add @RolesAllowed to it, or set "
                        + OperationsSettings.ROLE.name() + "; " + OperationsSettings.UNPROTECTED.name()
                        + "=true lets everybody"));
            }
        } else if (CallerLimits.class.isAssignableFrom(type)
                && method.getResourceMethod().getName().equals("limits")) {
            context.register(new CallerFilter(callers));
        }
    }

    /** Once for all methods. */
    private static void warnUnprotected(ResourceInfo method) {
        if (method.getResourceMethod().getName().equals("limits")) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Everybody may change limits by {0}, since {1} is true",
                    method.getResourceClass().getName(),
                    OperationsSettings.UNPROTECTED.name());
        }
    }

    private static boolean isDenied(Class<?> resource, Method method) {
        return method.isAnnotationPresent(DenyAll.class)
                || resource.isAnnotationPresent(DenyAll.class) && !method.isAnnotationPresent(RolesAllowed.class);
    }

    /**
     * Those of the annotation, which a proxy of CDI does not have, and of the setting.
     *
     * @param ofMethod that of the method, which wins over the class; null for none
     */
    private Set<String> roles(Class<?> resource, RolesAllowed ofMethod) {
        RolesAllowed allowed = ofMethod;
        for (Class<?> type = resource; allowed == null && type != LimitsResource.class; type = type.getSuperclass()) {
            allowed = type.getAnnotation(RolesAllowed.class);
        }
        Set<String> roles = new HashSet<>(allowed == null ? List.of() : List.of(allowed.value()));
        OperationsSettings.ROLE.ifSet(settings).ifPresent(roles::add);
        return roles;
    }

    /** Some servers read {@code @RolesAllowed} only if they are told to. */
    @Priority(Priorities.AUTHORIZATION)
    private record OperatorFilter(Set<String> roles) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            if (roles.stream().noneMatch(request.getSecurityContext()::isUserInRole)) {
                request.abortWith(new RefusedException(Response.Status.FORBIDDEN, "Limits are for operators")
                        .response(request.getHeaders().get(HttpHeaders.ACCEPT)));
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
