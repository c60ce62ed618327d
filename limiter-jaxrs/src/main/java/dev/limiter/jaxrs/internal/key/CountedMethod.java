package dev.limiter.jaxrs.internal.key;

import java.util.Set;

/** The HTTP method of a request as limits count it. */
public final class CountedMethod {
    /**
     * Stands for all methods that are neither in RFC 9110 nor {@code PATCH}: before matching,
     * and to a servlet, a client may send a new one each time.
     */
    static final String OTHER = "other";

    private static final Set<String> KNOWN =
            Set.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT");

    private CountedMethod() {}

    /**
     * {@code GET} for {@code HEAD}; {@link #OTHER} for all methods but those of RFC 9110 and
     * {@code PATCH}.
     */
    public static String of(String method) {
        if (method.equals("HEAD")) {
            return "GET";
        }
        return KNOWN.contains(method) ? method : OTHER;
    }
}
