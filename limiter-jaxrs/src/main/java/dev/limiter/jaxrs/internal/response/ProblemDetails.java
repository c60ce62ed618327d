package dev.limiter.jaxrs.internal.response;

import dev.limiter.CheckResult;
import dev.limiter.Decision;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The body of a 429 or 503, by RFC 9457 and the problem types of the RateLimit draft, or of a
 * response to a form that cannot be read. It is bytes, because some servers would encode a
 * string as JSON once more. It is never empty, because some servers would replace it by a page
 * of HTML.
 *
 * @param retryAfterSeconds whole seconds for {@code Retry-After}; 0 for none
 * @param json the problem details; only quotes and backslashes need escapes, and have them
 * @param detail the same for clients that take no JSON
 */
public record ProblemDetails(int status, long retryAfterSeconds, String json, String detail) {
    public static final String JSON_TYPE = "application/problem+json";
    public static final String TEXT_TYPE = "text/plain;charset=UTF-8";

    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int UNAVAILABLE_RETRY_SECONDS = 1;

    /**
     * @param seconds the wait in the response
     * @param published whether the client may know of the policy of this name
     */
    public static ProblemDetails rejected(Decision.Rejected rejected, long seconds, Predicate<String> published) {
        List<String> names = new ArrayList<>(1);
        for (CheckResult result : rejected.failing()) {
            String name = result.policy().name();
            if (published.test(name)) {
                names.add('"' + name + '"');
            }
        }
        String limits = (names.size() > 1 ? "Limits " : "Limit ") + String.join(" and ", names);
        String detail = limits.strip() + " reached; retry in " + seconds + " s.";
        return new ProblemDetails(
                TOO_MANY_REQUESTS,
                seconds,
                json(TYPES + "quota-exceeded", "Too many requests", TOO_MANY_REQUESTS, detail)
                        + ",\"violated-policies\":"
                        + '[' + String.join(",", names) + "]}",
                detail);
    }

    /**
     * The body for a refusal by an extension.
     *
     * @param reason a sentence without its full stop
     * @param seconds the wait in the response
     */
    public static ProblemDetails rejected(String reason, long seconds) {
        String detail = reason + "; retry in " + seconds + " s.";
        return new ProblemDetails(
                TOO_MANY_REQUESTS,
                seconds,
                json(TYPES + "quota-exceeded", "Too many requests", TOO_MANY_REQUESTS, detail) + "}",
                detail);
    }

    public static ProblemDetails unavailable() {
        String detail = "The limits of this request cannot be checked at the moment; retry in "
                + UNAVAILABLE_RETRY_SECONDS + " s.";
        return new ProblemDetails(
                SERVICE_UNAVAILABLE,
                UNAVAILABLE_RETRY_SECONDS,
                json(TYPES + "temporary-reduced-capacity", "Temporarily unavailable", SERVICE_UNAVAILABLE, detail)
                        + "}",
                detail);
    }

    /** The body for a refusal that a later try would not change. */
    public static ProblemDetails refused(int status, String title, String detail) {
        return new ProblemDetails(status, 0, json("about:blank", title, status, detail) + "}", detail);
    }

    public byte[] body(boolean asJson) {
        return (asJson ? json : detail + '\n').getBytes(StandardCharsets.UTF_8);
    }

    private static String json(String type, String title, int status, String detail) {
        return "{\"type\":\"" + type + "\",\"title\":\"" + title + "\",\"status\":" + status + ",\"detail\":\""
                + detail.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
