package dev.limiter.jaxrs;

import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Asks the limiter before the matched method runs, and tells the client what was decided. One filter for all methods, since
 * sub-resources cannot be bound to filters of their own at deployment.
 */
@Priority(Priorities.AUTHENTICATION + 500)
final class RateLimitFilter implements ContainerRequestFilter, ContainerResponseFilter {
    private static final String DECIDED = "dev.limiter.decided";

    private final Plans plans;
    private final ResourceInfo matched;
    private final Supplier<RateLimiter> limiter;
    private final ClientAddress addresses;
    private final StoreFailureLog failures = new StoreFailureLog();

    /** What a request carries to its response, and to the next method if it is forwarded. */
    private record Decided(Plan plan, Decision decision) {

        /** Both decisions as one: rejected if the later is, since the earlier let the request come so far. */
        Decided and(Decided later) {
            List<Answer> answers = new ArrayList<>(decision.answers());
            answers.addAll(later.decision().answers());
            return new Decided(plan.and(later.plan()), Decision.of(answers));
        }
    }

    /**
     * @param matched a proxy that knows the method of the current request
     */
    RateLimitFilter(Plans plans, ResourceInfo matched, Supplier<RateLimiter> limiter, ClientAddress addresses) {
        this.plans = plans;
        this.matched = matched;
        this.limiter = limiter;
        this.addresses = addresses;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        if (matched.getResourceMethod() == null) {
            return;
        }
        Plan plan = plans.of(matched.getResourceClass(), matched.getResourceMethod());
        if (!plan.isEmpty() && !request.getMethod().equals(HttpMethod.OPTIONS)) {
            decide(request, plan);
        }
    }

    /** A policy counts a request once, also when it is forwarded: what has been decided before is not asked again. */
    private void decide(ContainerRequestContext request, Plan whole) {
        // Not a cast: a request that comes from another application may carry what that one's copy of this class
        // decided.
        Decided before = request.getProperty(DECIDED) instanceof Decided decided ? decided : null;
        Plan plan = before == null ? whole : whole.without(before.plan());
        if (plan.isEmpty()) {
            return;
        }
        Decision decision;
        try {
            decision = limiter.get().acquire(plan.group(new CountedRequest(request, plan.endpoint(), addresses)));
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable);
            request.abortWith(ProblemResponse.unavailable());
            return;
        }
        Decided now = new Decided(plan, decision);
        request.setProperty(DECIDED, before == null ? now : before.and(now));
        if (decision instanceof Decision.Rejected rejected) {
            request.abortWith(ProblemResponse.rejected(rejected));
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getStatus() != Response.Status.NOT_MODIFIED.getStatusCode()
                && request.getProperty(DECIDED) instanceof Decided decided) {
            Draft11Fields.write(decided.plan(), decided.decision(), response.getHeaders());
        }
    }
}
