package dev.limiter.jaxrs.internal.response;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Makes a response of Jakarta REST from {@link ProblemDetails}, in a type that the client takes.
 */
public final class ProblemResponse {
    /**
     * {@link ProblemDetails#JSON_TYPE} and {@link ProblemDetails#TEXT_TYPE}, which the server
     * would parse for each response.
     */
    private static final MediaType JSON = new MediaType("application", "problem+json");

    private static final MediaType TEXT = new MediaType("text", "plain", StandardCharsets.UTF_8.name());

    private ProblemResponse() {}

    /**
     * @param accept all values of the request's {@code Accept}; null when there is none
     */
    public static Response of(ProblemDetails problem, List<String> accept) {
        boolean json = AcceptHeader.takesJson(accept);
        Response.ResponseBuilder response =
                Response.status(problem.status()).type(json ? JSON : TEXT).entity(problem.body(json));
        if (problem.retryAfterSeconds() > 0) {
            response.header(RetryAfterHeader.NAME, Long.toString(problem.retryAfterSeconds()));
        }
        return response.build();
    }
}
