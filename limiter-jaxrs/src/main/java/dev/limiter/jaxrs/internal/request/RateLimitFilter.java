package dev.limiter.jaxrs.internal.request;

import dev.limiter.Decision;
import dev.limiter.Stage;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.declaration.Plans;
import dev.limiter.jaxrs.internal.form.ContainerRequestData;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.plan.Plan;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import jakarta.annotation.Priority;
import jakarta.ws.rs.HttpMethod;
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
    private final PolicyRegistry policies;
    private final LimitEvaluator evaluator;
    private final RequestServices requests;
    private final Lazy<ClientAddress> addresses;
    private final RefusalResponse refusal;
    private final ContainerRequestData container;
    private final ResourceInfo matched;

    /**
     * @param policies are read again when that is due
     * @param requests makes the state of a request that no servlet filter has seen
     * @param addresses name clients
     * @param refusal answers requests that are not admitted
     * @param container what the servlet container knows of the current request
     * @param matched a proxy that knows the method of the current request
     */
    public RateLimitFilter(
            Plans plans,
            PolicyRegistry policies,
            LimitEvaluator evaluator,
            RequestServices requests,
            Lazy<ClientAddress> addresses,
            RefusalResponse refusal,
            ContainerRequestData container,
            ResourceInfo matched) {
        this.plans = plans;
        this.policies = policies;
        this.evaluator = evaluator;
        this.requests = requests;
        this.addresses = addresses;
        this.refusal = refusal;
        this.container = container;
        this.matched = matched;
    }

    /** Decides limits of the application, which also count requests that match no method. */
    @PreMatching
    @Priority(Priorities.AUTHENTICATION + EARLIER)
    public record BeforeMatching(RateLimitFilter limits) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            limits.policies.readAgainWhenDue();
            Plan plan = limits.plans.beforeMatching();
            if (plan.counts(request.getMethod())) {
                limits.decide(request, plan, Stage.BEFORE_MATCHING);
            }
        }
    }

    /** Decides limits before authentication, such as those on guesses of passwords. */
    @Priority(Priorities.AUTHENTICATION + EARLIER)
    public record BeforeAuthentication(RateLimitFilter limits) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            limits.decideMatched(request, Stage.BEFORE_AUTHENTICATION);
        }
    }

    /** Decides limits that may know the caller. */
    @Priority(Priorities.AUTHENTICATION + LATER)
    public record AfterAuthentication(RateLimitFilter limits) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            limits.decideMatched(request, Stage.AFTER_AUTHENTICATION);
        }
    }

    /**
     * Decides for the matched method. Only now it is known whether OPTIONS counts: then the limits
     * of before matching count it, too.
     */
    private void decideMatched(ContainerRequestContext request, Stage stage) {
        ResourceInfo info = matched(request);
        Method method = info.getResourceMethod();
        if (method == null) {
            return;
        }
        Plan plan = plans.of(info.getResourceClass(), method);
        if (!plan.counts(request.getMethod())) {
            return;
        }
        boolean late =
                stage == Stage.BEFORE_AUTHENTICATION && request.getMethod().equals(HttpMethod.OPTIONS);
        if (!late || decide(request, plans.beforeMatching(), Stage.BEFORE_MATCHING)) {
            decide(request, plan, stage);
        }
    }

    /**
     * The matched method. Jersey's request knows it itself; the way through the proxy costs more
     * than everything else for a method without limits.
     */
    private ResourceInfo matched(ContainerRequestContext request) {
        return request.getUriInfo() instanceof ResourceInfo info ? info : matched;
    }

    /** Decides the limits of a stage. Returns whether the request goes on. */
    private boolean decide(ContainerRequestContext request, Plan plan, Stage stage) {
        if (stage == Stage.AFTER_AUTHENTICATION && plan.at(stage).isEmpty() && policies.haveCallerPeriods()) {
            note(request, plan);
        }
        if (plan.at(stage).isEmpty() || isErrorPage(request)) {
            return true;
        }
        try {
            RequestState state = state(request);
            Decision.Rejected rejected =
                    evaluator.decide(state, plan.at(stage), new RestRequest(request, plan, addresses, container));
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

    /** Notes a request without limits: its method may ask policies with periods of callers. */
    private void note(ContainerRequestContext request, Plan plan) {
        RequestState state = requests.known(request.getProperty(STATE));
        if (state != null) {
            state.meets(List.of(), new RestRequest(request, plan, addresses, container));
        }
    }

    /**
     * Whether this is an error page. Its request has been decided already, and must not be
     * charged twice.
     */
    private static boolean isErrorPage(ContainerRequestContext request) {
        return request.getProperty(ERROR_DISPATCH) != null;
    }

    private RequestState state(ContainerRequestContext request) {
        RequestState state = requests.known(request.getProperty(STATE));
        if (state == null) {
            state = requests.begin(false);
            request.setProperty(STATE, state);
        }
        return state;
    }
}
