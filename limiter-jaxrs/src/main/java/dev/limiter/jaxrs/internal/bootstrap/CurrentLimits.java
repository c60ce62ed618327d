package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.inject.Instance;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * The limits of the request that the current thread serves. Where there is no request, CDI itself
 * would say only that a context is not active.
 */
final class CurrentLimits {
    private CurrentLimits() {}

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
     * @throws IllegalStateException if it has not passed the filter, or there is no servlet
     *     container
     */
    static RequestState currentState() {
        try {
            if (Platform.currentRequestAttribute(RateLimitFilter.STATE) instanceof RequestState known) {
                return known;
            }
        } catch (ContextNotActiveException none) {
            throw noRequest(none);
        }
        throw noRequest(null);
    }

    private static IllegalStateException noRequest(ContextNotActiveException cause) {
        return new IllegalStateException(
                "there is no request here that has passed the limiter's filter; a job injects DeployedLimits, a thread of"
                        + " your own takes RateLimits.ofThisRequest() before it begins, and without a servlet container"
                        + " RateLimits.of(requestContext) is for filters and resources",
                cause);
    }
}
