package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.enterprise.context.ContextNotActiveException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * The limits of the request that the current thread serves. Where there is no request, CDI itself
 * would say only that a context is not active.
 */
final class CurrentLimits {
    private CurrentLimits() {}

    /** Limits that look for the request at each call. */
    static RateLimits ofEachRequest() {
        return (RateLimits) Proxy.newProxyInstance(
                RateLimits.class.getClassLoader(), new Class<?>[] {RateLimits.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(currentState().limits(), arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
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
                "there is no request here that has passed the limiter's filter; inject DeployedLimits into a job, and for"
                        + " a thread of your own call RateLimits.ofThisRequest() before it begins",
                cause);
    }
}
