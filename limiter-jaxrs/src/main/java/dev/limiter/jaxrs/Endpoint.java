package dev.limiter.jaxrs;

import java.util.List;

/**
 * An endpoint of an application: what one HTTP method at one path calls. A servlet whose class is
 * the application's own is an endpoint too, and so is a locator whose class is not known at
 * deployment. What the server answers by itself, such as {@code OPTIONS} or a WADL, is none.
 *
 * <p>Its text is {@code GET /api/animals/{id} (AnimalResource.one)}.
 *
 * @param method the HTTP method; empty for a servlet and for a locator, which take all
 * @param path below the context path, with the templates as written: {@code /api/animals/{id}};
 *     for a servlet its mappings; empty if it is not known
 * @param handler class and method, such as {@code AnimalResource.one}; for a servlet its class
 * @param coverage whether a limit protects it
 * @param limits the names of its limits, those before matching first
 */
public record Endpoint(String method, String path, String handler, Coverage coverage, List<String> limits) {

    /** Whether a limit protects an endpoint, by what was declared and configured at deployment. */
    public enum Coverage {
        /** Some limit can reject its requests. */
        LIMITED,
        /** None of its limits can reject: each is {@code SHADOW}, {@code SOFT} or switched off. */
        NOT_REJECTING,
        /** It has no limit on purpose, as {@link dev.limiter.RateLimitExempt} says. */
        EXEMPT,
        /** It has neither a limit nor {@link dev.limiter.RateLimitExempt}. */
        UNLIMITED,
        /** No limit is known, because a locator does not name the class that answers. */
        UNKNOWN
    }

    /**
     * Copies the names.
     *
     * @param method the HTTP method; empty for all
     * @param path below the context path; empty if it is not known
     * @param handler class and method
     * @param coverage whether a limit protects it
     * @param limits the names of its limits
     */
    public Endpoint {
        limits = List.copyOf(limits);
    }

    @Override
    public String toString() {
        String unknown = coverage == Coverage.UNKNOWN ? ", locator, class not known at deployment" : "";
        return (method.isEmpty() ? "" : method + ' ')
                + (path.isEmpty() ? "" : path + ' ')
                + '('
                + handler
                + unknown
                + ')';
    }
}
