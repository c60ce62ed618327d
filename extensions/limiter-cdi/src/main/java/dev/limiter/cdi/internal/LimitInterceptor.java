package dev.limiter.cdi.internal;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.AroundTimeout;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;

/**
 * Asks the limiter before a method runs. What tells callers of exceptions stands around it, such as
 * {@code @WrapBusinessError} of Quarkus' MCP server, whose priority is {@code LIBRARY_BEFORE}. A
 * bean of a session may be serialized together with it.
 */
@LimitedCalls
@Interceptor
@Priority(Interceptor.Priority.LIBRARY_BEFORE + 500)
class LimitInterceptor implements Serializable {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // a proxy, which CDI can serialize
    private final BeanLimits limits;

    @Inject
    LimitInterceptor(BeanLimits limits) {
        this.limits = limits;
    }

    @AroundInvoke
    @AroundTimeout // timers of Jakarta Enterprise Beans
    Object limit(InvocationContext invocation) throws Exception {
        LimitedMethod method = limits.of(invocation.getTarget().getClass(), invocation.getMethod());
        return method == null
                ? invocation.proceed()
                : method.result().of(new Call(method, invocation, limits.services()));
    }
}
