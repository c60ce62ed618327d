package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.Decision;
import dev.limiter.NotAdmittedException;
import dev.limiter.Stage;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.form.FormFields;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.plan.Plan;
import dev.limiter.jaxrs.internal.request.LimitEvaluator;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestState;
import dev.limiter.jaxrs.internal.response.CorsExposure;
import dev.limiter.jaxrs.internal.response.ProblemDetails;
import dev.limiter.spi.InvalidSettingException;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;

/**
 * Stands around every request of a web application: limits servlets, and sees the end of each request, whatever end it takes, so
 * that what Jakarta REST cannot see to an end is settled too. A servlet that asks the limiter itself, and does not catch what that
 * throws, is answered for as a resource is: the error page of a container may show the exception, and with it where Redis is.
 */
public final class ServletLifecycleFilter implements Filter {
    private static final int UNCAUGHT = 500;

    private final ApplicationRuntime deployment;
    private volatile Set<Class<?>> unchecked;
    private volatile ServletPlans plans;

    /**
     * @param classes those of the application that may carry limits
     */
    public ServletLifecycleFilter(ApplicationRuntime deployment, Set<Class<?>> classes) {
        this.deployment = deployment;
        this.unchecked = classes;
    }

    /** Filters start after CDI and before servlets. What fails here fails the application on servers that go on without a servlet. */
    @Override
    public void init(FilterConfig config) {
        try {
            deployment.checkBeans(unchecked);
            plans = ServletPlans.of(config.getServletContext(), deployment);
        } catch (InvalidSettingException | RateLimitDeploymentException wrong) {
            deployment.failed(wrong);
            throw wrong;
        }
        unchecked = Set.of();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            limited(http, answer, chain);
            return;
        }
        RequestState account = new RequestState(deployment, true);
        account.exposedAround(() -> answer.getHeaders(CorsExposure.NAME));
        http.setAttribute(RateLimitFilter.ACCOUNT, account);
        int status = UNCAUGHT;
        try {
            limited(
                    FormFields.isNamedIn(http.getContentType()) ? new ReplayableFormRequest(http) : http,
                    answer,
                    chain);
            status = answer.getStatus();
        } catch (NotAdmittedException refused) {
            if (answer.isCommitted()) {
                throw refused;
            }
            answer.reset();
            ServletResponses.tell(account, http, answer);
            ServletResponses.send(deployment.problem(refused), http, answer);
            status = answer.getStatus();
        } catch (IOException gone) {
            account.brokeOff();
            status = answer.getStatus();
            throw gone;
        } finally {
            if (status >= UNCAUGHT) {
                deployment.remindOfFailure();
            }
            end(account, http, answer, status);
        }
    }

    private void limited(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Plan plan = plans.of(request);
        if (plan == null
                || !(request.getAttribute(RateLimitFilter.ACCOUNT) instanceof RequestState account)
                || account.notYetAsked(plan.limits()).isEmpty()
                || admits(account, plan, request, response)) {
            chain.doFilter(request, response);
        }
    }

    private boolean admits(RequestState account, Plan plan, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (request.getMethod().equals("OPTIONS")) {
            return true;
        }
        deployment.policies().readAgainWhenDue();
        ServletRequestAdapter view = new ServletRequestAdapter(request, plan.endpoint(), deployment);
        try {
            for (Stage stage : Stage.values()) {
                Decision.Rejected rejected = LimitEvaluator.decide(account, plan.at(stage), view);
                if (rejected != null) {
                    ServletResponses.tell(account, request, response);
                    ServletResponses.send(deployment.problem(rejected), request, response);
                    return false;
                }
            }
        } catch (StoreUnavailableException unavailable) {
            ServletResponses.send(ProblemDetails.unavailable(), request, response);
            return false;
        } catch (UnreadableFormException unreadable) {
            ServletResponses.send(deployment.problem(unreadable), request, response);
            return false;
        }
        ServletResponses.tell(account, request, response);
        return true;
    }

    /** Now, or when an asynchronous request is complete, which other threads may have made it meanwhile. */
    private static void end(
            RequestState account, HttpServletRequest request, HttpServletResponse response, int status) {
        if (request.isAsyncStarted()) {
            try {
                request.getAsyncContext().addListener(new End(account, response));
                return;
            } catch (IllegalStateException complete) {
                // complete between the question and the listener: ended, then
            }
        }
        account.ended(status);
    }

    /** The end of an asynchronous request. A time-out and an error are not: the container completes it after them. */
    private record End(RequestState account, HttpServletResponse response) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            account.ended(response.getStatus());
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // onComplete follows
        }

        @Override
        public void onError(AsyncEvent event) {
            // onComplete follows
        }

        /** Listeners do not outlive a dispatch that starts again. */
        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
