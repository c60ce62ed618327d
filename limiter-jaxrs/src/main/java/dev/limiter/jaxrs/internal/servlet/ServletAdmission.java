package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.Decision;
import dev.limiter.Stage;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.request.RequestServices;
import dev.limiter.jaxrs.internal.request.RequestState;
import dev.limiter.jaxrs.internal.response.ProblemDetails;
import dev.limiter.jaxrs.internal.response.Problems;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Decides the limits of a servlet, and answers a request that is not admitted.
 *
 * @param addresses name clients
 */
record ServletAdmission(
        RequestServices services, Lazy<ClientAddress> addresses, Problems problems, ServletResponses responses) {
    /** Whether the limits of a stage let a request go on; if not, it is answered. */
    boolean admits(RequestState state, Plan plan, Stage stage, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (!plan.counts(request.getMethod())) {
            return true;
        }
        services.policies().readAgainWhenDue();
        ServletRequestAdapter view = new ServletRequestAdapter(request, plan.endpoint(), addresses);
        try {
            Decision.Rejected rejected = services.evaluator().decide(state, plan.at(stage), view);
            if (rejected != null) {
                responses.tell(state, request, response);
                ServletResponses.send(problems.of(rejected), request, response);
                return false;
            }
        } catch (StoreUnavailableException unavailable) {
            ServletResponses.send(ProblemDetails.unavailable(), request, response);
            return false;
        } catch (UnreadableFormException unreadable) {
            ServletResponses.send(problems.of(unreadable), request, response);
            return false;
        }
        responses.tell(state, request, response);
        return true;
    }
}
