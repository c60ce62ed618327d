package dev.limiter.jaxrs;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Where one value of a key, a cost or a tier comes from.
 *
 * @param name the placeholder, with its parameter: {@code user}, {@code header:X-Device}, or the whole text of an expression; it
 *     enters the key beside the value
 * @param alwaysPresent whether every request has it
 * @param reader the value; null or empty when missing
 */
record KeySource(String name, boolean alwaysPresent, Function<LimitedRequest, String> reader) {
    private static final String FOLD = "~fold";
    private static final List<String> PLAIN = List.of("user", "ip", "endpoint", "verb");
    private static final List<String> WITH_PARAMETER =
            List.of("path", "query", "header", "cookie", "form", "attribute", "claim", "bean");
    /** What a client writes into its request, and so can change with every one. */
    private static final List<String> CHOSEN_BY_CALLER = List.of("path", "query", "header", "cookie", "form");

    private static final Set<String> CHOSEN_IN_EXPRESSION = Set.of(
            "request.pathParameter",
            "request.query",
            "request.header",
            "request.headers",
            "request.cookie",
            "request.form");
    private static final Set<String> USER_IN_EXPRESSION = Set.of("user", "request.user");
    private static final Set<String> MATCH_IN_EXPRESSION =
            Set.of("endpoint", "request.endpoint", "request.pathParameter");

    private static final String EXPRESSION = "#{";
    private static final String LITERAL = "literal";

    String value(LimitedRequest request) {
        return request instanceof StatedCaller caller && caller.states(name)
                ? caller.stated(name)
                : reader.apply(request);
    }

    /**
     * A placeholder as it stands in a key, without {@code ~fold}.
     *
     * @throws IllegalArgumentException if there is no such placeholder
     */
    static String unfoldedName(String placeholder) {
        return placeholder.startsWith(EXPRESSION)
                ? placeholder
                : withoutFold(of(placeholder, placeholder).name());
    }

    /** The kind of the placeholder: {@code header} of {@code header:X-Device~fold}. */
    String kind() {
        return name.split("[:~#]", 2)[0];
    }

    /** What stands after the colon, without {@code ~fold}; empty if nothing does. */
    String parameter() {
        int colon = name.indexOf(':');
        return colon < 0 ? "" : withoutFold(name.substring(colon + 1));
    }

    boolean isLiteral() {
        return name.equals(LITERAL);
    }

    /** As it is written in an expression: <code>{user}</code>, or <code>#{user.name}</code>. */
    String written() {
        return isExpression() ? name : '{' + name + '}';
    }

    /** Whether callers can choose the value freely; of an expression, whether it is made of nothing else. */
    boolean isChosenByCaller() {
        return isExpression()
                ? !expressionNames().isEmpty() && CHOSEN_IN_EXPRESSION.containsAll(expressionNames())
                : CHOSEN_BY_CALLER.contains(kind());
    }

    /** Whether callers can change the value freely; of an expression, whether any name in it is theirs. */
    boolean isChangedByCaller() {
        return isChosenByCaller() || asksFor(CHOSEN_IN_EXPRESSION);
    }

    /** Whether the value is known only when the caller is authenticated. */
    boolean needsUser() {
        return kind().equals("user") || kind().equals("claim") || asksFor(USER_IN_EXPRESSION);
    }

    /** Whether the value is known only when the resource method is matched. */
    boolean needsMatch() {
        return kind().equals("endpoint") || kind().equals("path") || asksFor(MATCH_IN_EXPRESSION);
    }

    private boolean asksFor(Set<String> names) {
        return isExpression() && expressionNames().stream().anyMatch(names::contains);
    }

    private boolean isExpression() {
        return name.startsWith(EXPRESSION);
    }

    private Set<String> expressionNames() {
        return ElNames.in(name);
    }

    static KeySource literal(String text) {
        return new KeySource(LITERAL, true, request -> text);
    }

    /**
     * An expression of Jakarta Expression Language.
     *
     * @throws IllegalArgumentException if it cannot be compiled here
     */
    static KeySource expression(String text) {
        if (!Surroundings.hasExpressions()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" needs Jakarta Expression Language, which this server does not have");
        }
        return new KeySource(text, false, ElExpression.compile(text));
    }

    /**
     * The source behind a placeholder such as {@code user} or {@code header:X-Device}, with {@code ~fold} or without.
     *
     * @param inExpression what the developer wrote, for the message
     * @throws IllegalArgumentException if there is no such placeholder
     */
    static KeySource of(String placeholder, String inExpression) {
        requireKnownSuffix(placeholder, inExpression);
        String unfolded = withoutFold(placeholder);
        KeySource source = unfolded(unfolded, inExpression);
        return unfolded.equals(placeholder) ? source : source.folded();
    }

    /** A parameter may have a tilde; one that a misspelt {@code ~fold} stands behind has not, as far as anybody can tell. */
    private static void requireKnownSuffix(String placeholder, String inExpression) {
        int tilde = placeholder.lastIndexOf('~');
        if (tilde < 0 || placeholder.endsWith(FOLD)) {
            return;
        }
        String suffix = placeholder.substring(tilde);
        if (PLAIN.contains(placeholder.substring(0, tilde).strip()) || Nearest.isNear(suffix, FOLD)) {
            throw new IllegalArgumentException(
                    "unknown \"" + suffix + "\" in \"" + inExpression + "\"; what may follow a name is \"~fold\"");
        }
    }

    private KeySource folded() {
        return new KeySource(name + FOLD, alwaysPresent, request -> {
            String value = value(request);
            return value == null ? null : Spelling.fold(value);
        });
    }

    private static KeySource unfolded(String placeholder, String inExpression) {
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
            return new KeySource(name + ':' + parameter, false, withParameter(name, parameter));
        }
        throw new IllegalArgumentException("unknown name \"" + name + "\" in \"" + inExpression + "\"; "
                + Nearest.suggest(
                        name,
                        Stream.concat(PLAIN.stream(), WITH_PARAMETER.stream()).toList()));
    }

    private static KeySource plain(String name) {
        return switch (name) {
            case "user" ->
                new KeySource(
                        name,
                        false,
                        request ->
                                request.user() == null ? null : request.user().getName());
            case "ip" -> new KeySource(name, true, LimitedRequest::clientAddress);
            case "endpoint" -> new KeySource(name, true, LimitedRequest::endpoint);
            case "verb" -> new KeySource(name, true, LimitedRequest::method);
            default -> throw new IllegalStateException("no placeholder " + name);
        };
    }

    private static Function<LimitedRequest, String> withParameter(String name, String parameter) {
        return switch (name) {
            case "path" -> request -> request.pathParameter(parameter);
            case "query" -> request -> request.query(parameter);
            case "header" -> request -> request.header(parameter);
            case "cookie" -> request -> request.cookie(parameter);
            case "form" -> request -> request.form(parameter);
            case "attribute" -> request -> text(request.attribute(parameter));
            case "claim" -> claim(parameter);
            case "bean" -> new NamedKeyResolver(parameter)::key;
            default -> throw new IllegalStateException("no placeholder " + name);
        };
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    private static Function<LimitedRequest, String> claim(String name) {
        if (!Surroundings.hasJwt()) {
            throw new IllegalArgumentException("\"claim:" + name
                    + "\" is a claim of a MicroProfile JWT, which this server does not have; add"
                    + " microprofile-jwt-auth-api and what implements it, or use {bean:...}");
        }
        return request -> Claims.of(request.user(), name);
    }

    private static String withoutFold(String placeholder) {
        return placeholder.endsWith(FOLD)
                ? placeholder.substring(0, placeholder.length() - FOLD.length()).strip()
                : placeholder;
    }
}
