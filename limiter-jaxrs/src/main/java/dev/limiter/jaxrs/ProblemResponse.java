package dev.limiter.jaxrs;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;

/** A {@link Problem} as a response of Jakarta REST, in what the client takes. */
final class ProblemResponse {
    private ProblemResponse() {}

    static Response of(Problem problem, HttpHeaders request) {
        boolean json = takesJson(request);
        return Response.status(problem.status())
                .type(json ? Problem.JSON_TYPE : Problem.TEXT_TYPE)
                .header(Problem.RETRY_AFTER, problem.retryAfterSeconds())
                .entity(problem.body(json))
                .build();
    }

    private static boolean takesJson(HttpHeaders request) {
        List<MediaType> accepted;
        try {
            accepted = request.getAcceptableMediaTypes();
        } catch (RuntimeException malformed) {
            return true; // each server has an exception of its own for a header it cannot read
        }
        for (MediaType type : accepted) {
            if (type.isCompatible(MediaType.APPLICATION_JSON_TYPE)
                    || type.isCompatible(MediaType.valueOf(Problem.JSON_TYPE))) {
                return true;
            }
        }
        return accepted.isEmpty();
    }
}
