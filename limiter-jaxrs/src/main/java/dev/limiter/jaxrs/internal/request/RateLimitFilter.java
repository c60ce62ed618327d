package dev.limiter.jaxrs.internal.request;

import dev.limiter.Decision;
import dev.limiter.Stage;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.declaration.Plans;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.policy.Plan;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.container.ResourceInfo;
import java.lang.reflect.Method;
import java.util.List;

/**
 * Asks the limiter before the matched method runs. Each stage has one filter for all methods,
 * since sub-resources cannot be bound to filters of their own at deployment.
 */
public final class RateLimitFilter {
    public static final String STATE = RateLimits.class.getName();

    /** Set by a servlet container that dispatches to an error page. */
    private static final String ERROR_DISPATCH = "jakarta.servlet.error.status_code";

    private static final int EARLIER = -500;
    private static final int LATER = 500;

    private final Plans plans;
    private final RequestServices services;
    private final RefusalResponse refusal;
    private final RequestAccess server;

    /**
     * @param services have the state of each request
     * @param server knows the method of each request
     */
    public RateLimitFilter(Plans plans, RequestServices services, RequestAccess server) {
        this.plans = plans;
        this.services = services;
        this.refusal = new RefusalResponse(services.problems(), server.providers());
        this.server = server;
    }

    /**
     * Decides limits of the application, which also count requests that match no method. Not
     * registered if there are none.
     */
    @PreMatching
    @Priority(Priorities.AUTHENTICATION + EARLIER)
    public record BeforeMatching(RateLimitFilter limits) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            limits.services.policies().readAgainWhenDue();
            Plan plan = limits.plans.beforeMatching();
            if (plan.counts(request.getMethod())) {
                limits.decide(request, plan, Stage.BEFORE_MATCHING);
            }
        }
    }

    /**
     * Decides limits before authentication, such as those on guesses of passwords, and those of
     * before matching that are not decided yet. Only now it is known whether OPTIONS counts, and
     * which method another filter has made of it.
     */
    @Priority(Priorities.AUTHENTICATION + EARLIER)
    public record BeforeAuthentication(RateLimitFilter limits) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            limits.services.policies().readAgainWhenDue();
            Plan plan = limits.matchedPlan(request);
            if (plan == null || limits.decide(request, limits.plans.beforeMatching(), Stage.BEFORE_MATCHING)) {
                limits.decide(request, plan, Stage.BEFORE_AUTHENTICATION);
            }
        }
    }

    /** Decides limits that may know the caller. */
    @Priority(Priorities.AUTHENTICATION + LATER)
    public record AfterAuthentication(RateLimitFilter limits) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            limits.decide(request, limits.matchedPlan(request), Stage.AFTER_AUTHENTICATION);
        }
    }

    /**
     * Whether a stage after matching asks the limiter about a request, so that its filter may
     * block.
     */
    public boolean asks(ContainerRequestContext request, Stage stage) {
        Plan plan = matchedPlan(request);
        return plan != null
                && (!plan.at(stage).isEmpty()
                        || stage == Stage.BEFORE_AUTHENTICATION
                                && !plans.beforeMatching().isEmpty());
    }

    /** The plan of the matched method; null if its limits do not count the request. */
    private Plan matchedPlan(ContainerRequestContext request) {
        ResourceInfo info = server.matched().apply(request);
        Method method = info.getResourceMethod();
        Plan plan = method == null ? null : plans.of(info.getResourceClass(), method);
        return plan == null || !plan.counts(request.getMethod()) ? null : plan;
    }

    /**
     * Decides the limits of a stage. Returns whether the request goes on.
     *
     * @param plan null if no limit counts the request
     */
    private boolean decide(ContainerRequestContext request, Plan plan, Stage stage) {
        if (plan == null) {
            return true;
        }
        if (plan.at(stage).isEmpty()) {
            note(request, plan, stage);
            return true;
        }
        if (request.getProperty(ERROR_DISPATCH) != null) {
            return true; // the request has been decided already, and must not be charged twice
        }
        RequestState state = known(request);
        try {
            Decision.Rejected rejected = services.evaluator()
                    .decide(state, plan.at(stage), new RestRequest(request, plan, services.addresses(), server));
            if (rejected == null) {
                return true;
            }
            request.abortWith(refusal.of(rejected, state, request));
        } catch (StoreUnavailableException unavailable) {
            request.abortWith(refusal.of(unavailable, request));
        } catch (UnreadableFormException unreadable) {
            request.abortWith(refusal.of(unreadable, request));
        }
        return false;
    }

    /**
     * Notes a request without limits: its method may ask policies with periods of callers, or the
     * limits of its caller.
     */
    private void note(ContainerRequestContext request, Plan plan, Stage stage) {
        if (stage == Stage.AFTER_AUTHENTICATION && services.policies().asksForCallers()) {
            known(request).meets(List.of(), new RestRequest(request, plan, services.addresses(), server));
        }
    }

    private RequestState known(ContainerRequestContext request) {
        return services.known(request.getProperty(STATE));
    }
}
