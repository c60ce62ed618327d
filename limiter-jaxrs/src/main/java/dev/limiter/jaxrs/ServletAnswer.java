package dev.limiter.jaxrs;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What the client of a servlet is told. */
final class ServletAnswer {
    private ServletAnswer() {}

    /** Sets the fields, before the servlet can have sent any. */
    static void tell(Account account, HttpServletRequest request, HttpServletResponse response) {
        List<Asked.Published> published = account.published();
        if (account.heldMillis() > 0) {
            response.addHeader(ServerTiming.NAME, ServerTiming.of(account.heldMillis()));
        }
        if (published.isEmpty()) {
            return;
        }
        Fields fields = account.deployment().fields();
        fields.write(published, response::setHeader);
        if (request.getHeader("Origin") != null) {
            Collection<String> exposed = response.getHeaders(CorsExposure.NAME);
            response.setHeader(CorsExposure.NAME, CorsExposure.with(fields.names(), String.join(", ", exposed)));
        }
    }

    static void send(Problem problem, HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean json = takesJson(request.getHeader("Accept"));
        byte[] body = problem.body(json);
        response.setStatus(problem.status());
        response.setHeader(Problem.RETRY_AFTER, Long.toString(problem.retryAfterSeconds()));
        response.setContentType(json ? Problem.JSON_TYPE : Problem.TEXT_TYPE);
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }

    private static boolean takesJson(String accept) {
        String types = accept == null ? "*/*" : accept.toLowerCase(Locale.ROOT);
        return types.contains("json") || types.contains("*/*") || types.contains("application/*");
    }
}
