package dev.limiter.jaxrs.internal.response;

import dev.limiter.CheckResult;
import dev.limiter.Decision;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The body of a 429 or 503, or of a response to a form that cannot be read, by RFC 9457. The
 * problem types, and the member {@code violated-policies} that belongs to them, are those of
 * draft 11 of the RateLimit headers, which a later draft may rename. So they go with its
 * headers; without them the body has no type, which means {@code about:blank}.
 *
 * <p>The body is bytes, because some servers would encode a string as JSON once more. It is
 * never empty, because some servers would replace it by a page of HTML.
 *
 * @param retryAfterSeconds whole seconds for {@code Retry-After}; 0 for none
 * @param json the problem details; only quotes and backslashes need escapes, and have them
 * @param detail the same for clients that take no JSON
 */
public record ProblemDetails(int status, long retryAfterSeconds, String json, String detail) {
    public static final String JSON_TYPE = "application/problem+json";
    public static final String TEXT_TYPE = "text/plain;charset=UTF-8";

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int UNAVAILABLE_RETRY_SECONDS = 1;

    /**
     * @param seconds the wait in the response
     * @param published whether the client may know of the policy of this name
     * @param typed whether the body has a problem type of draft 11
     */
    public static ProblemDetails rejected(
            Decision.Rejected rejected, long seconds, Predicate<String> published, boolean typed) {
        List<String> names = new ArrayList<>(1);
        for (CheckResult result : rejected.failing()) {
            String name = result.policy().name();
            if (published.test(name)) {
                names.add('"' + name + '"');
            }
        }
        String limits = (names.size() > 1 ? "Limits " : "Limit ") + String.join(" and ", names);
        String detail = limits.strip() + " reached; retry in " + seconds + " s.";
        String violated = typed ? ",\"violated-policies\":[" + String.join(",", names) + ']' : "";
        return tooMany(seconds, detail, violated, typed);
    }

    /**
     * The body for a refusal by an extension.
     *
     * @param reason a sentence without its full stop
     * @param seconds the wait in the response
     */
    static ProblemDetails rejected(String reason, long seconds, boolean typed) {
        return tooMany(seconds, reason + "; retry in " + seconds + " s.", "", typed);
    }

    private static ProblemDetails tooMany(long seconds, String detail, String violated, boolean typed) {
        String type = typed ? type("quota-exceeded") : "";
        String json = json(type, "Too Many Requests", TOO_MANY_REQUESTS, detail, violated);
        return new ProblemDetails(TOO_MANY_REQUESTS, seconds, json, detail);
    }

    public static ProblemDetails unavailable(boolean typed) {
        String detail = "The limits of this request cannot be checked at the moment; retry in "
                + UNAVAILABLE_RETRY_SECONDS + " s.";
        String type = typed ? type("temporary-reduced-capacity") : "";
        return new ProblemDetails(
                SERVICE_UNAVAILABLE,
                UNAVAILABLE_RETRY_SECONDS,
                json(type, "Service Unavailable", SERVICE_UNAVAILABLE, detail, ""),
                detail);
    }

    /** The body for a refusal that a later try would not change. */
    public static ProblemDetails refused(int status, String title, String detail) {
        return new ProblemDetails(status, 0, json("", title, status, detail, ""), detail);
    }

    public byte[] body(boolean asJson) {
        return (asJson ? json : detail + '\n').getBytes(StandardCharsets.UTF_8);
    }

    private static String type(String name) {
        return "\"type\":\"https://iana.org/assignments/http-problem-types#" + name + "\",";
    }

    private static String json(String type, String title, int status, String detail, String more) {
        return '{' + type + "\"title\":\"" + title + "\",\"status\":" + status + ",\"detail\":\""
                + detail.replace("\\", "\\\\").replace("\"", "\\\"") + '"' + more + '}';
    }
}
