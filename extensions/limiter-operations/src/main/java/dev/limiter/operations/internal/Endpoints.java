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
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
            AnnotatedElement rule = rule(type, method.getResourceMethod());
            RolesAllowed allowed = rule.getAnnotation(RolesAllowed.class);
            Optional<String> role = OperationsSettings.ROLE.ifSet(settings);
            if (rule.isAnnotationPresent(DenyAll.class)) {
                context.register(new OperatorFilter(List.of()));
            } else if (allowed != null || role.isPresent()) {
                context.register(new OperatorFilter(allowed == null ? List.of(role.get()) : List.of(allowed.value())));
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

    /**
     * What says who may use a method: the method, else the class of the resource. A proxy of CDI
     * is a subclass that repeats methods without their annotations, so what it overrides is asked,
     * too.
     */
    private static AnnotatedElement rule(Class<?> resource, Method method) {
        List<AnnotatedElement> asked = new ArrayList<>();
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> type = resource; type != LimitsResource.class; type = type.getSuperclass()) {
            classes.add(type);
            for (Method each : type.getDeclaredMethods()) {
                if (each.getName().equals(method.getName())
                        && Arrays.equals(each.getParameterTypes(), method.getParameterTypes())) {
                    asked.add(each);
                    asked.addAll(classes);
                }
            }
        }
        asked.addAll(classes);
        return asked.stream()
                .filter(each -> each.isAnnotationPresent(DenyAll.class) || each.isAnnotationPresent(RolesAllowed.class))
                .findFirst()
                .orElse(resource);
    }

    /** Some servers read {@code @RolesAllowed} only if they are told to. */
    @Priority(Priorities.AUTHORIZATION)
    private record OperatorFilter(List<String> roles) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            if (roles.stream().noneMatch(request.getSecurityContext()::isUserInRole)) {
                request.abortWith(new RefusedException(Response.Status.FORBIDDEN, "Only operators have access")
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
