package dev.limiter.jaxrs;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A {@link Problem} as a response of Jakarta REST, in what the client takes. */
final class ProblemResponse {
    /** {@link Problem#JSON_TYPE} and {@link Problem#TEXT_TYPE}, which the server would parse for each response. */
    private static final MediaType JSON = new MediaType("application", "problem+json");

    private static final MediaType TEXT = new MediaType("text", "plain", StandardCharsets.UTF_8.name());

    private ProblemResponse() {}

    /**
     * @param accept all values of the request's {@code Accept}; null when there is none
     */
    static Response of(Problem problem, List<String> accept) {
        boolean json = Accepted.takesJson(accept);
        Response.ResponseBuilder response =
                Response.status(problem.status()).type(json ? JSON : TEXT).entity(problem.body(json));
        if (problem.retryAfterSeconds() > 0) {
            response.header(RetryAfter.NAME, Long.toString(problem.retryAfterSeconds()));
        }
        return response.build();
    }
}
