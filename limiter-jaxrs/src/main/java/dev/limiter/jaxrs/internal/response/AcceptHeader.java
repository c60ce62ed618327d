package dev.limiter.jaxrs.internal.response;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads from {@code Accept} what a client takes. It does not use the server's parser: servers
 * fail in different ways on malformed headers, and a rejection must not become an error for
 * that.
 */
public final class AcceptHeader {
    private static final Set<String> JSON =
            Set.of("application/problem+json", "application/json", "application/*", "*/*");

    private AcceptHeader() {}

    /**
     * Whether the client takes problem details as JSON: they are named, or no readable type is.
     *
     * @param fields all values of {@code Accept}; null or empty when there is none
     */
    public static boolean takesJson(List<String> fields) {
        boolean somethingElse = false;
        for (String range :
                fields == null ? new String[0] : String.join(",", fields).split(",")) {
            String[] parts = range.toLowerCase(Locale.ROOT).split(";");
            String type = parts.length == 0 ? "" : parts[0].strip();
            if (JSON.contains(type) && !isRefused(parts)) {
                return true;
            }
            somethingElse |= isMediaRange(type);
        }
        return !somethingElse;
    }

    /**
     * Whether the client names a range of types, such as {@code image/*}, but for the range of all
     * types. A server may choose a type for an entity only after the method, and refuse then.
     *
     * @param fields all values of {@code Accept}; null or empty when there is none
     */
    public static boolean namesRange(List<String> fields) {
        String all = fields == null ? "" : String.join(",", fields);
        if (all.indexOf('*') < 0) {
            return false;
        }
        for (String range : all.split(",")) {
            String type = range.split(";", 2)[0].strip();
            if (type.indexOf('*') >= 0 && !type.equals("*/*") && !type.equals("*")) {
                return true;
            }
        }
        return false;
    }

    private static boolean isMediaRange(String type) {
        int slash = type.indexOf('/');
        return slash > 0 && slash < type.length() - 1 && type.indexOf('/', slash + 1) < 0;
    }

    /** Whether the weight is 0: the client takes anything but this. */
    private static boolean isRefused(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].replace(" ", "");
            if (parameter.matches("q=0(\\.0*)?")) {
                return true;
            }
        }
        return false;
    }
}
