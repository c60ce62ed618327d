package dev.limiter.jaxrs;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/** What the client of a servlet is told. */
final class ServletAnswer {
    private ServletAnswer() {}

    /** Sets the fields, before the servlet can have sent any. */
    static void tell(Account account, HttpServletRequest request, HttpServletResponse response) {
        List<Asked.Published> published = account.published();
        double heldMillis = account.takeHeldMillis();
        if (heldMillis > 0) {
            response.addHeader(ServerTiming.NAME, ServerTiming.of(heldMillis));
        }
        Fields fields = account.deployment().fields();
        if (!published.isEmpty()) {
            fields.write(published, response::setHeader);
        }
        if (!published.isEmpty()) {
            expose(fields.names(), request, response);
        }
    }

    /** To scripts of other origins: the names, and {@code Retry-After}. */
    private static void expose(List<String> names, HttpServletRequest request, HttpServletResponse response) {
        if (request.getHeader("Origin") != null) {
            String exposed = String.join(", ", response.getHeaders(CorsExposure.NAME));
            response.setHeader(CorsExposure.NAME, CorsExposure.with(names, exposed));
        }
    }

    static void send(Problem problem, HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean json = Accepted.takesJson(Collections.list(request.getHeaders("Accept")));
        byte[] body = problem.body(json);
        response.setStatus(problem.status());
        if (problem.retryAfterSeconds() > 0) {
            response.setHeader(RetryAfter.NAME, Long.toString(problem.retryAfterSeconds()));
        }
        expose(List.of(), request, response);
        response.setContentType(json ? Problem.JSON_TYPE : Problem.TEXT_TYPE);
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }
}
