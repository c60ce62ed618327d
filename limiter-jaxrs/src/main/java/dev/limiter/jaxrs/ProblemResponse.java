package dev.limiter.jaxrs;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

/** A {@link Problem} as a response of Jakarta REST, in what the client takes. */
final class ProblemResponse {
    private ProblemResponse() {}

    static Response of(Problem problem, HttpHeaders request) {
        boolean json = Accepted.takesJson(request.getRequestHeader(HttpHeaders.ACCEPT));
        return Response.status(problem.status())
                .type(json ? Problem.JSON_TYPE : Problem.TEXT_TYPE)
                .header(RetryAfter.NAME, problem.retryAfterSeconds())
                .entity(problem.body(json))
                .build();
    }
}
