package dev.limiter.jaxrs;

import dev.limiter.Decision;
import dev.limiter.Group;
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
    private final Delay delay;
    private final StoreFailureLog failures = new StoreFailureLog();

    /** What a request carries to its response, and to the next method if it is forwarded: only the last may be a rejection. */
    private record Decided(Plan plan, List<Decision> decisions) {

        Decided and(Plan laterPlan, Decision later) {
            List<Decision> both = new ArrayList<>(decisions);
            both.add(later);
            return new Decided(plan.and(laterPlan), both);
        }
    }

    /**
     * @param matched a proxy that knows the method of the current request
     */
    RateLimitFilter(
            Plans plans, ResourceInfo matched, Supplier<RateLimiter> limiter, ClientAddress addresses, Delay delay) {
        this.plans = plans;
        this.matched = matched;
        this.limiter = limiter;
        this.addresses = addresses;
        this.delay = delay;
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
            Group group = plan.group(new CountedRequest(request, plan.endpoint(), addresses));
            decision = delay.untilItsSlot(limiter.get().acquire(group), limiter.get());
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable);
            request.abortWith(ProblemResponse.unavailable());
            return;
        }
        Decided now = before == null ? new Decided(plan, List.of(decision)) : before.and(plan, decision);
        request.setProperty(DECIDED, now);
        if (decision instanceof Decision.Rejected rejected) {
            request.abortWith(ProblemResponse.rejected(rejected));
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (!(request.getProperty(DECIDED) instanceof Decided decided)) {
            return;
        }
        if (response.getStatus() != Response.Status.NOT_MODIFIED.getStatusCode()) {
            Draft11Fields.write(decided.plan(), decided.decisions(), response.getHeaders());
        }
        for (Decision decision : decided.decisions()) {
            release(decision);
        }
    }

    /** A lease that cannot be given back expires by itself. */
    private void release(Decision decision) {
        try {
            if (decision instanceof Decision.Admitted admission && Plan.hasLease(admission)) {
                limiter.get().refund(admission.only(Plan::isLease));
            }
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable);
        }
    }
}
