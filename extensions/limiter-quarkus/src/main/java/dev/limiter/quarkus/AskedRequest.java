package dev.limiter.quarkus;

import dev.limiter.jaxrs.internal.bootstrap.CurrentRequest;
import dev.limiter.jaxrs.internal.request.RequestState;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/** The state of the current request, begun when somebody asks for it. */
final class AskedRequest extends CurrentRequest {
    private final Decisions decisions;

    AskedRequest(Decisions decisions) {
        this.decisions = decisions;
    }

    /** Null where Quarkus serves another request than one of Jakarta REST. */
    @Override
    public RequestState state() {
        ResteasyReactiveRequestContext request = super.state() == null ? CurrentRequestManager.get() : null;
        if (request == null) {
            return super.state();
        }
        if (request.getTarget() == null) { // its method is not known yet
            return decisions.state(request);
        }
        begins(decisions.asked(request));
        return super.state();
    }
}
