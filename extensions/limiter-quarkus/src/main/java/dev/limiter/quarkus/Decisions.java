package dev.limiter.quarkus;

import dev.limiter.Stage;
import dev.limiter.jaxrs.internal.bootstrap.RestLimits;
import dev.limiter.jaxrs.internal.form.RestForm;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.io.IOException;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.jaxrs.ContainerRequestContextImpl;

/**
 * Decides the limits of requests. A decision may block. So on the event loop a request is moved to
 * another thread first, and back afterwards; one without limits stays where it is.
 */
@Singleton
class Decisions {
    private final Lazy<RestLimits> limits;

    /** @param limits are made at the start of the application; its filters are there before */
    Decisions(Instance<RestLimits> limits) {
        this.limits = new Lazy<>(limits::get);
    }

    private RestLimits limits() {
        return limits.get();
    }

    /** Decides limits that count requests without a method, too. */
    void beforeMatching(ResteasyReactiveRequestContext request) throws IOException {
        if (!limits().plans().beforeMatching().isEmpty()
                && Threads.mayBlock(request)
                && admits(request, new RateLimitFilter.BeforeMatching(limits().filter()))) {
            Threads.backToEventLoop(request);
        }
    }

    /** Decides limits before Quarkus knows the caller. */
    void beforeAuthentication(ResteasyReactiveRequestContext request) throws IOException {
        if (asks(request, Stage.BEFORE_AUTHENTICATION)
                && Threads.mayBlock(request)
                && admits(request, new RateLimitFilter.BeforeAuthentication(limits().filter()))) {
            Threads.backToEventLoop(request);
        }
    }

    private boolean asks(ResteasyReactiveRequestContext request, Stage stage) {
        return limits().filter().asks(request.getContainerRequestContext(), stage);
    }

    /**
     * Decides limits that may know the caller. If one has read a form, the method's parameters are
     * read from there as well, which may block.
     */
    void afterAuthentication(ResteasyReactiveRequestContext request) throws IOException {
        boolean asks = asks(request, Stage.AFTER_AUTHENTICATION);
        if (asks ? !Threads.mayBlock(request) : !limits().runtime().policies().asksForCallers()) {
            return;
        }
        if (asks) {
            limits().runtime().policies().readAgainWhenDue();
        }
        if (admits(request, new RateLimitFilter.AfterAuthentication(limits().filter()))
                && asks
                && !request.getTarget().isBlocking()
                && request.getProperty(RestForm.BODY) == null) {
            Threads.backToEventLoop(request);
        }
    }

    /** Whether the limits of a stage let a request go on. */
    private boolean admits(ResteasyReactiveRequestContext request, ContainerRequestFilter stage) throws IOException {
        request.requireCDIRequestScope();
        state(request);
        ContainerRequestContextImpl context = request.getContainerRequestContext();
        stage.filter(DeferredUser.in(context, request));
        if (context.isAborted()) {
            RequestEnd.of(request).tellRefused();
        }
        return !context.isAborted();
    }

    /** The state of a request, begun now if it has none. */
    RequestState state(ResteasyReactiveRequestContext request) {
        if (request.getProperty(RateLimitFilter.STATE) instanceof RequestState known) {
            return known;
        }
        RequestState state = limits().runtime().requests().begin(true);
        request.setProperty(RateLimitFilter.STATE, state);
        new RequestEnd(request, state, limits().headers()).watch();
        return state;
    }
}
