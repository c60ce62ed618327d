package dev.limiter.jaxrs;

import dev.limiter.Decision;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The bodies of 429 and 503, as RFC 9457 and the problem types of the RateLimit draft have them. They are sent as bytes: some
 * servers would encode a string as JSON once more, and replace an empty body by a page of HTML.
 */
final class ProblemResponse {
    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int UNAVAILABLE_RETRY_SECONDS = 1;

    private ProblemResponse() {}

    static Response rejected(Decision.Rejected rejected) {
        List<String> names = rejected.failing().stream()
                .map(answer -> '"' + answer.policy().name() + '"')
                .toList();
        String limits = (names.size() == 1 ? "Limit " : "Limits ") + String.join(" and ", names);
        String detail = limits + " reached; retry in " + Draft11Fields.retryAfterSeconds(rejected) + " s.";
        String body =
                "{\"type\":\"" + TYPES + "quota-exceeded\",\"title\":\"Too many requests\",\"status\":429,\"detail\":\""
                        + detail.replace("\"", "\\\"") + "\",\"violated-policies\":"
                        + names.stream().collect(Collectors.joining(",", "[", "]")) + "}";
        return problem(TOO_MANY_REQUESTS, body).build();
    }

    static Response unavailable() {
        String body = "{\"type\":\"" + TYPES + "temporary-reduced-capacity\",\"title\":\"Temporarily unavailable\","
                + "\"status\":503,\"detail\":\"The limits of this request cannot be checked at the moment; retry in "
                + UNAVAILABLE_RETRY_SECONDS + " s.\"}";
        return problem(UNAVAILABLE, body)
                .header(HttpHeaders.RETRY_AFTER, UNAVAILABLE_RETRY_SECONDS)
                .build();
    }

    private static Response.ResponseBuilder problem(int status, String body) {
        return Response.status(status).type("application/problem+json").entity(body.getBytes(StandardCharsets.UTF_8));
    }
}
