package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * The limits of the request that the current thread serves. Where there is no request, CDI itself
 * would say only that a context is not active.
 */
final class CurrentLimits {
    private CurrentLimits() {}

    /** The limits that a request has, as a bean that exists only while there is a request. */
    @Qualifier
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfRequest {
        Literal LITERAL = new Literal();

        /** The annotation as a value. */
        final class Literal extends AnnotationLiteral<OfRequest> implements OfRequest {
            private static final long serialVersionUID = 1L;
        }
    }

    /** Limits that look for the request at each call. */
    static RateLimits of(Instance<RateLimits> ofRequest) {
        return (RateLimits) Proxy.newProxyInstance(
                RateLimits.class.getClassLoader(), new Class<?>[] {RateLimits.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("ofThisRequest")) {
                        return currentState().limits(); // of itself, Weld would make its client proxy
                    }
                    try {
                        return method.invoke(ofRequest.get(), arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause() instanceof ContextNotActiveException none
                                ? noRequest(none)
                                : thrown.getCause();
                    }
                });
    }

    /**
     * The state of the current request, for a caller that has no reference to it.
     *
     * @throws IllegalStateException if it has not passed the filter
     */
    static RequestState currentState() {
        try {
            RequestState withoutServlets = Platform.bean(CurrentRequest.class)
                    .map(CurrentRequest::state)
                    .orElse(null);
            if (withoutServlets != null) {
                return withoutServlets;
            }
            if (Platform.currentRequestAttribute(RateLimitFilter.STATE) instanceof RequestState known) {
                return known;
            }
        } catch (ContextNotActiveException none) {
            throw noRequest(none);
        }
        throw noRequest(null);
    }

    /** Notes the state of the current request, if CDI takes part in requests. */
    static void begins(RequestState state) {
        try {
            Platform.bean(CurrentRequest.class).ifPresent(current -> current.begins(state));
        } catch (ContextNotActiveException none) {
            // CDI runs beside Jakarta REST: nothing is injected into resources.
        }
    }

    private static IllegalStateException noRequest(ContextNotActiveException cause) {
        return new IllegalStateException(
                "there is no request here that has passed the limiter's filter; a job injects DeployedLimits, and a thread"
                        + " of your own takes RateLimits.ofThisRequest() before it begins",
                cause);
    }
}
