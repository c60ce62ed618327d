package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.enterprise.context.ContextNotActiveException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;

/**
 * The limits of the request that the current thread serves. Where there is no request, CDI itself
 * would say only that a context is not active.
 */
public final class CurrentLimits {
    private static final ThreadLocal<Call> CALLS = new ThreadLocal<>();

    /** A call of a limited bean, and the one around it on this thread; null for none. */
    private record Call(RequestState state, Call around) {}

    private CurrentLimits() {}

    /** Limits that look for the request, or the call of a limited bean, at each call. */
    public static RateLimits ofEachRequest() {
        return (RateLimits) Proxy.newProxyInstance(
                RateLimits.class.getClassLoader(), new Class<?>[] {RateLimits.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(stateFor(arguments).limits(), arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    /** The innermost call that knows the policy of these arguments, else the request. */
    private static RequestState stateFor(Object[] arguments) {
        Call innermost = CALLS.get();
        for (Call call = innermost; call != null; call = call.around()) {
            if (arguments == null
                    || !(arguments[0] instanceof String policy)
                    || call.state().limits().knows(policy)) {
                return call.state();
            }
        }
        RequestState request = ofRequest();
        if (request == null && innermost == null) {
            throw noRequest();
        }
        return request == null ? innermost.state() : request;
    }

    /** Runs the method of a bean, whose limits are the current ones of this thread meanwhile. */
    public static Object within(RequestState state, Callable<Object> method) throws Exception {
        Call around = CALLS.get();
        CALLS.set(new Call(state, around));
        try {
            return method.call();
        } finally {
            if (around == null) {
                CALLS.remove();
            } else {
                CALLS.set(around);
            }
        }
    }

    /**
     * The state of the current request, for a caller that has no reference to it; null if no
     * request has passed the filter here.
     */
    public static RequestState ofRequest() {
        try {
            RequestState withoutServlets = Platform.bean(CurrentRequest.class)
                    .map(CurrentRequest::state)
                    .orElse(null);
            if (withoutServlets != null) {
                return withoutServlets;
            }
            return Platform.currentRequestAttribute(RateLimitFilter.STATE) instanceof RequestState known ? known : null;
        } catch (ContextNotActiveException none) {
            return null;
        }
    }

    /** Notes the state of the current request, if CDI takes part in requests. */
    static void begins(RequestState state) {
        try {
            Platform.bean(CurrentRequest.class).ifPresent(current -> current.begins(state));
        } catch (ContextNotActiveException none) {
            // CDI runs beside Jakarta REST: nothing is injected into resources.
        }
    }

    private static IllegalStateException noRequest() {
        return new IllegalStateException(
                "there is no request here that has passed the limiter's filter; inject DeployedLimits into a job, and for"
                        + " a thread of your own call RateLimits.ofThisRequest() before it begins");
    }
}
