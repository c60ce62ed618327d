package dev.limiter.jaxrs.internal.response;

import dev.limiter.CheckResult;
import dev.limiter.Decision;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The answers 429 and 503, as RFC 9457 and the problem types of the RateLimit draft have them, and those to forms that cannot be read. They are bytes: some servers would
 * encode a string as JSON once more. And never empty: some would put a page of HTML in its place.
 *
 * @param retryAfterSeconds whole seconds for {@code Retry-After}; 0 for none
 * @param json the problem details, in which quotes and backslashes are escaped, and nothing else would need to be
 * @param detail the same for those who take no JSON
 */
public record ProblemDetails(int status, long retryAfterSeconds, String json, String detail) {
    public static final String JSON_TYPE = "application/problem+json";
    public static final String TEXT_TYPE = "text/plain;charset=UTF-8";

    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int UNAVAILABLE_RETRY_SECONDS = 1;

    /**
     * @param seconds what it is told to wait
     * @param published whether the client may know of the policy of this name
     */
    public static ProblemDetails rejected(Decision.Rejected rejected, long seconds, Predicate<String> published) {
        List<String> names = new ArrayList<>(1);
        for (CheckResult answer : rejected.failing()) {
            String name = answer.policy().name();
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
     * Of an extension that refused.
     *
     * @param reason a sentence without its full stop
     * @param seconds what the client is told to wait
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

    /** What no later try would change. */
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
