package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.jaxrs.internal.request.RequestState;
import dev.limiter.jaxrs.internal.response.AcceptHeader;
import dev.limiter.jaxrs.internal.response.CorsExposure;
import dev.limiter.jaxrs.internal.response.ProblemDetails;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import dev.limiter.jaxrs.internal.response.RateLimitHeaders;
import dev.limiter.jaxrs.internal.response.RetryAfterHeader;
import dev.limiter.jaxrs.internal.response.ServerTimingHeader;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/**
 * Writes headers and problem details into the response of a servlet.
 *
 * @param fields the dialects of the RateLimit headers
 */
record ServletResponses(RateLimitHeaders fields) {
    /** Sets the headers, before the servlet can have sent any. */
    void tell(RequestState state, HttpServletRequest request, HttpServletResponse response) {
        List<PublishedResult> published = state.published();
        double heldMillis = state.takeHeldMillis();
        if (heldMillis > 0) {
            response.addHeader(ServerTimingHeader.NAME, ServerTimingHeader.of(heldMillis));
        }
        if (!published.isEmpty()) {
            fields.write(published, response::setHeader);
            expose(fields.names(), request, response);
        }
    }

    /** Exposes the names, and {@code Retry-After}, to scripts of other origins. */
    private static void expose(List<String> names, HttpServletRequest request, HttpServletResponse response) {
        if (request.getHeader("Origin") != null) {
            String exposed = String.join(", ", response.getHeaders(CorsExposure.NAME));
            response.setHeader(CorsExposure.NAME, CorsExposure.with(names, exposed));
        }
    }

    static void send(ProblemDetails problem, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        boolean json = AcceptHeader.takesJson(Collections.list(request.getHeaders("Accept")));
        byte[] body = problem.body(json);
        response.setStatus(problem.status());
        if (problem.retryAfterSeconds() > 0) {
            response.setHeader(RetryAfterHeader.NAME, Long.toString(problem.retryAfterSeconds()));
        }
        expose(List.of(), request, response);
        response.setContentType(json ? ProblemDetails.JSON_TYPE : ProblemDetails.TEXT_TYPE);
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }
}
