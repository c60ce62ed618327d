package dev.limiter.jaxrs.internal.request;

import dev.limiter.Decision;
import dev.limiter.RateLimitExceededException;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.response.NotAdmittedMapper;
import dev.limiter.jaxrs.internal.response.ProblemResponse;
import dev.limiter.jaxrs.internal.response.Problems;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.function.Function;

/**
 * Makes the response to a request that the filter refuses. A mapper of the service may write it.
 * If it returns null, Jersey would let the request pass.
 */
public final class RefusalResponse {
    private final Problems problems;
    private final Function<ContainerRequestContext, Providers> providers;
    private volatile boolean noMapperOfTheService;

    /**
     * @param providers know the service's mappers
     */
    public RefusalResponse(Problems problems, Function<ContainerRequestContext, Providers> providers) {
        this.problems = problems;
        this.providers = providers;
    }

    /**
     * The response to a rejection. The exception is not thrown: that would cost the server more
     * than the response, just when it has the least time. It is not even made if the service has
     * no mapper for it; mappers do not change while requests run.
     */
    Response of(Decision.Rejected rejected, RequestState state, ContainerRequestContext request) {
        if (noMapperOfTheService) {
            return ProblemResponse.of(problems.of(rejected), accept(request));
        }
        ExceptionMapper<RateLimitExceededException> mapper =
                providers.apply(request).getExceptionMapper(RateLimitExceededException.class);
        noMapperOfTheService = (ExceptionMapper<?>) mapper instanceof NotAdmittedMapper;
        Response own = mapper.toResponse(new RateLimitExceededException(rejected, state.retryAfterSeconds()));
        return own == null ? ProblemResponse.of(problems.of(rejected), accept(request)) : own;
    }

    Response of(StoreUnavailableException unavailable, ContainerRequestContext request) {
        Response own = providers
                .apply(request)
                .getExceptionMapper(StoreUnavailableException.class)
                .toResponse(unavailable);
        return own == null ? ProblemResponse.of(problems.of(unavailable), accept(request)) : own;
    }

    Response of(UnreadableFormException unreadable, ContainerRequestContext request) {
        return ProblemResponse.of(problems.of(unreadable), accept(request));
    }

    private static List<String> accept(ContainerRequestContext request) {
        return request.getHeaders().get(HttpHeaders.ACCEPT);
    }
}
