package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.Decision;
import dev.limiter.NotAdmittedException;
import dev.limiter.Stage;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.internal.bootstrap.DeploymentFailure;
import dev.limiter.jaxrs.internal.form.FormFields;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestServices;
import dev.limiter.jaxrs.internal.request.RequestState;
import dev.limiter.jaxrs.internal.response.CorsExposure;
import dev.limiter.jaxrs.internal.response.ProblemDetails;
import dev.limiter.jaxrs.internal.response.Problems;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Runs around every request of a web application. It sees every kind of end of a request, also
 * those that Jakarta REST does not see. It decides the limits of servlets that come before
 * authentication; {@link LastFilter} decides the others. If a servlet asks the limiter itself
 * and does not catch its exception, the filter responds as for a resource. The error page of a
 * container could show the exception, and with it the address of Redis.
 */
public final class ServletLifecycleFilter implements Filter {
    private static final int UNCAUGHT = 500;

    private final Function<FilterConfig, Map<String, Plan>> reader;
    private final RequestServices requests;
    private final Problems problems;
    private final ServletResponses responses;
    private final DeploymentFailure failure;
    /** The plans of the servlets that have limits, by the servlet's name. */
    private volatile Map<String, Plan> plans;

    /**
     * @param reader reads the plans of all servlets, or throws if one is wrong
     * @param requests makes the state of each request
     */
    ServletLifecycleFilter(
            Function<FilterConfig, Map<String, Plan>> reader, RequestServices requests, DeploymentFailure failure) {
        this.reader = reader;
        this.requests = requests;
        this.problems = requests.problems();
        this.responses = new ServletResponses(requests.headers());
        this.failure = failure;
    }

    /**
     * Filters start after CDI and before servlets. A failure here also fails the application on
     * servers that go on without a failed servlet.
     */
    @Override
    public void init(FilterConfig config) {
        try {
            plans = reader.apply(config);
        } catch (RuntimeException | Error wrong) {
            failure.failed(wrong);
            throw wrong;
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            dispatched(http, answer, chain);
            return;
        }
        RequestState state = requests.begin(true, () -> answer.getHeaders(CorsExposure.NAME));
        http.setAttribute(RateLimitFilter.STATE, state);
        int status = UNCAUGHT;
        try {
            HttpServletRequest watched = new LifecycleRequest(http, answer, state);
            HttpServletRequest read = mayHaveForm(http) ? new ReplayableFormRequest(watched) : watched;
            limited(plan(http), Stage.BEFORE_AUTHENTICATION, read, answer, chain);
            status = answer.getStatus();
        } catch (NotAdmittedException refused) {
            refuse(refused, state, http, answer);
            status = answer.getStatus();
        } catch (IOException gone) {
            state.brokeOff();
            status = answer.getStatus();
            throw gone;
        } finally {
            if (status >= UNCAUGHT) {
                failure.remind();
            }
            end(state, http, answer, status);
        }
    }

    /** The filter that began a request does not see exceptions of an asynchronous dispatch. */
    private void dispatched(HttpServletRequest http, HttpServletResponse answer, FilterChain chain)
            throws IOException, ServletException {
        try {
            limited(plan(http), Stage.BEFORE_AUTHENTICATION, http, answer, chain);
        } catch (NotAdmittedException refused) {
            if (http.getDispatcherType() != DispatcherType.ASYNC) {
                throw refused;
            }
            RequestState known = requests.known(http.getAttribute(RateLimitFilter.STATE));
            refuse(refused, known == null ? requests.begin(false) : known, http, answer);
        }
    }

    /** Answers for a servlet. If it has become asynchronous, the response is complete now. */
    private void refuse(
            NotAdmittedException refused, RequestState state, HttpServletRequest http, HttpServletResponse answer)
            throws IOException {
        if (answer.isCommitted()) {
            throw refused;
        }
        answer.reset();
        responses.tell(state, http, answer);
        ServletResponses.send(problems.of(refused), http, answer);
        if (http.isAsyncStarted()) {
            http.getAsyncContext().complete();
        }
    }

    /** The last filter before a servlet. */
    public Filter last(String servlet) {
        return new LastFilter(this, servlet, Set.of());
    }

    /**
     * The last filter before servlets.
     *
     * @param others the names of those that have a last filter of their own
     */
    public Filter last(Set<String> others) {
        return new LastFilter(this, null, others);
    }

    private static boolean mayHaveForm(HttpServletRequest request) {
        return request.getContentType() != null && FormFields.isNamedIn(request.getContentType());
    }

    /**
     * Decides the limits of a stage.
     *
     * @param plan of the servlet that the request is for; null if it has no limits
     */
    void limited(Plan plan, Stage stage, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (plan == null || plan.at(stage).isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        Object carried = request.getAttribute(RateLimitFilter.STATE);
        RequestState known = requests.known(carried);
        RequestState state = known == null ? requests.begin(false) : known; // another application forwarded it
        request.setAttribute(RateLimitFilter.STATE, state);
        try {
            if (admits(state, plan, stage, request, response)) {
                chain.doFilter(request, response);
            }
        } finally {
            if (known == null) {
                request.setAttribute(RateLimitFilter.STATE, carried);
                end(state, request, response, response.getStatus());
            }
        }
    }

    /** Whether the limits of a stage let a request go on; if not, it is answered. */
    private boolean admits(
            RequestState state, Plan plan, Stage stage, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (state.notYetDecided(plan.at(stage)).isEmpty() || !plan.counts(request.getMethod())) {
            return true;
        }
        requests.policies().readAgainWhenDue();
        ServletRequestAdapter view = new ServletRequestAdapter(request, plan.endpoint(), requests.addresses());
        ProblemDetails problem;
        try {
            Decision.Rejected rejected = requests.evaluator().decide(state, plan.at(stage), view);
            responses.tell(state, request, response);
            problem = rejected == null ? null : problems.of(rejected);
        } catch (StoreUnavailableException unavailable) {
            problem = problems.of(unavailable);
        } catch (UnreadableFormException unreadable) {
            problem = problems.of(unreadable);
        }
        if (problem != null) {
            ServletResponses.send(problem, request, response);
        }
        return problem == null;
    }

    /** The plan of the servlet that a request is for; null if it has no limits. */
    Plan plan(HttpServletRequest request) {
        HttpServletMapping mapping = plans.isEmpty() ? null : request.getHttpServletMapping();
        return mapping == null ? null : plans.get(mapping.getServletName());
    }

    /** The plan of a servlet; null if it has no limits. */
    Plan plan(String servlet) {
        return plans.get(servlet);
    }

    /**
     * Ends the request now, or when it is complete if it is asynchronous. Another thread may
     * have completed it meanwhile.
     */
    private static void end(RequestState state, HttpServletRequest request, HttpServletResponse response, int status) {
        if (request.isAsyncStarted()) {
            try {
                request.getAsyncContext().addListener(new End(state, response));
                return;
            } catch (IllegalStateException complete) {
                // completed between the check and the listener: ended then
            }
        }
        state.ended(status);
    }

    /**
     * Sees the end of an asynchronous request. A time-out or an error is no end: the container
     * completes the request after them, but for Tomcat after an error.
     */
    private record End(RequestState state, HttpServletResponse response) implements AsyncListener {
        private static final String OF_TOMCAT = "org.apache.catalina.core.AsyncContextImpl";

        @Override
        public void onComplete(AsyncEvent event) {
            state.ended(response.getStatus());
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // onComplete follows
        }

        @Override
        public void onError(AsyncEvent event) {
            if (event.getThrowable() instanceof IOException) {
                state.clientFailed(); // the container's 5xx follows
            }
            if (!isLast(event.getAsyncContext())) {
                return; // onComplete follows
            }
            if (event.getThrowable() instanceof IOException) {
                state.brokeOff();
                state.ended(response.getStatus());
            } else {
                state.ended(UNCAUGHT);
            }
        }

        /**
         * Whether Tomcat may tell nothing after an error. If a listener of the application has
         * dispatched the request, it goes on.
         */
        private static boolean isLast(AsyncContext context) {
            if (!context.getClass().getName().equals(OF_TOMCAT)) {
                return false;
            }
            try {
                return context.getRequest() != null;
            } catch (IllegalStateException dispatched) {
                return false;
            }
        }

        /**
         * Adds itself again: listeners do not survive a dispatch that starts asynchronous work
         * again.
         */
        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
