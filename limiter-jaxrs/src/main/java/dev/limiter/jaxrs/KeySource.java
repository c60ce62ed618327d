package dev.limiter.jaxrs;

import jakarta.ws.rs.core.Cookie;
import java.security.Principal;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Where one value of a key comes from.
 *
 * @param name the placeholder, with its parameter: {@code user}, {@code header:X-Device}; it enters the key beside the value
 * @param alwaysPresent whether every request has it
 * @param reader the value; null or empty when missing
 */
record KeySource(String name, boolean alwaysPresent, Function<CountedRequest, String> reader) {
    private static final List<String> PLAIN = List.of("user", "ip", "endpoint", "verb");
    private static final List<String> WITH_PARAMETER = List.of("path", "query", "header", "cookie", "attribute");

    String value(CountedRequest request) {
        return reader.apply(request);
    }

    static KeySource literal(String text) {
        return new KeySource("literal", true, request -> text);
    }

    /**
     * The source behind a placeholder such as {@code user} or {@code header:X-Device}.
     *
     * @param inExpression what the developer wrote, for the message
     * @throws IllegalArgumentException if there is no such placeholder
     */
    static KeySource of(String placeholder, String inExpression) {
        int colon = placeholder.indexOf(':');
        String name = colon < 0 ? placeholder : placeholder.substring(0, colon);
        String parameter = colon < 0 ? "" : placeholder.substring(colon + 1).strip();
        if (PLAIN.contains(name)) {
            if (colon >= 0) {
                throw new IllegalArgumentException(
                        "\"" + name + "\" takes no parameter in \"" + inExpression + "\"; write \"{" + name + "}\"");
            }
            return plain(name);
        }
        if (WITH_PARAMETER.contains(name)) {
            if (parameter.isEmpty()) {
                throw new IllegalArgumentException(
                        "\"" + name + "\" needs a parameter in \"" + inExpression + "\"; write \"{" + name + ":...}\"");
            }
            return withParameter(name, parameter);
        }
        throw new IllegalArgumentException("unknown name \"" + name + "\" in \"" + inExpression + "\"; "
                + Nearest.suggest(
                        name,
                        Stream.concat(PLAIN.stream(), WITH_PARAMETER.stream()).toList()));
    }

    private static KeySource plain(String name) {
        return switch (name) {
            case "user" -> new KeySource(name, false, KeySource::user);
            case "ip" -> new KeySource(name, true, CountedRequest::clientAddress);
            case "endpoint" -> new KeySource(name, true, CountedRequest::endpoint);
            case "verb" -> new KeySource(name, true, KeySource::verb);
            default -> throw new IllegalStateException("no placeholder " + name);
        };
    }

    private static KeySource withParameter(String name, String parameter) {
        Function<CountedRequest, String> reader = switch (name) {
            case "path" ->
                request -> request.context().getUriInfo().getPathParameters().getFirst(parameter);
            case "query" ->
                request -> request.context().getUriInfo().getQueryParameters().getFirst(parameter);
            case "header" -> request -> request.context().getHeaders().getFirst(parameter);
            case "cookie" -> request -> cookie(request, parameter);
            case "attribute" -> request -> attribute(request, parameter);
            default -> throw new IllegalStateException("no placeholder " + name);
        };
        return new KeySource(name + ':' + parameter, false, reader);
    }

    private static String user(CountedRequest request) {
        Principal principal = request.context().getSecurityContext().getUserPrincipal();
        return principal == null ? null : principal.getName();
    }

    /** HEAD counts as the GET it stands for. */
    private static String verb(CountedRequest request) {
        String method = request.context().getMethod();
        return method.equals("HEAD") ? "GET" : method;
    }

    private static String cookie(CountedRequest request, String name) {
        try {
            Cookie cookie = request.context().getCookies().get(name);
            return cookie == null ? null : cookie.getValue();
        } catch (IllegalArgumentException malformed) {
            return null; // Jersey refuses a header such as "$Version=x" as a whole: then there is no cookie
        }
    }

    private static String attribute(CountedRequest request, String name) {
        Object value = request.context().getProperty(name);
        return value == null ? null : value.toString();
    }
}
