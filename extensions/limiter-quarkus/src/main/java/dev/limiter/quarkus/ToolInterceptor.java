package dev.limiter.quarkus;

import dev.limiter.NotAdmittedException;
import dev.limiter.RateLimitExceededException;
import io.quarkiverse.mcp.server.ToolCallException;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;

/**
 * Tells the model that calls a tool of an MCP server when to come back. It stands around the
 * interceptor of limiter-cdi, and also tells what a bean has rejected that the tool calls. Without
 * it, the model would hear of an internal error. A bean only where the application has tools.
 */
@ToolCalls
@Interceptor
@Priority(Interceptor.Priority.LIBRARY_BEFORE + 400)
class ToolInterceptor {
    @AroundInvoke
    Object tell(InvocationContext invocation) throws Exception {
        try {
            Object result = invocation.proceed();
            return result instanceof Uni<?> running
                    ? running.onFailure(NotAdmittedException.class).transform(refused -> told(refused))
                    : result;
        } catch (NotAdmittedException refused) {
            throw told(refused);
        }
    }

    private static ToolCallException told(NotAdmittedException refused) {
        String why = refused instanceof RateLimitExceededException
                ? "The rate limit of this tool is reached."
                : "This tool cannot be used now.";
        long seconds = refused.retryAfterSeconds();
        return new ToolCallException(why + " Do not call it again for " + seconds
                + (seconds == 1 ? " second" : " seconds") + "; go on without it, or tell the user.");
    }
}
