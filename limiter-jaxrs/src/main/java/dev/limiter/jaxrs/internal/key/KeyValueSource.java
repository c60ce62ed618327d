package dev.limiter.jaxrs.internal.key;

import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.bootstrap.StatedCaller;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.text.CaseFolding;
import dev.limiter.jaxrs.internal.text.Suggestions;
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
public record KeyValueSource(String name, boolean alwaysPresent, Function<LimitedRequest, String> reader) {
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

    public String value(LimitedRequest request) {
        return request instanceof StatedCaller caller && caller.states(name)
                ? caller.stated(name)
                : reader.apply(request);
    }

    /**
     * A placeholder as it stands in a key, without {@code ~fold}.
     *
     * @throws IllegalArgumentException if there is no such placeholder
     */
    public static String unfoldedName(String placeholder) {
        return placeholder.startsWith(EXPRESSION)
                ? placeholder
                : withoutFold(of(placeholder, placeholder).name());
    }

    /** The kind of the placeholder: {@code header} of {@code header:X-Device~fold}. */
    public String kind() {
        return name.split("[:~#]", 2)[0];
    }

    /** What stands after the colon, without {@code ~fold}; empty if nothing does. */
    public String parameter() {
        int colon = name.indexOf(':');
        return colon < 0 ? "" : withoutFold(name.substring(colon + 1));
    }

    public boolean isLiteral() {
        return name.equals(LITERAL);
    }

    /** As it is written in an expression: <code>{user}</code>, or <code>#{user.name}</code>. */
    public String written() {
        return isExpression() ? name : '{' + name + '}';
    }

    /** Whether callers can choose the value freely; of an expression, whether it is made of nothing else. */
    public boolean isChosenByCaller() {
        return isExpression()
                ? !expressionNames().isEmpty() && CHOSEN_IN_EXPRESSION.containsAll(expressionNames())
                : CHOSEN_BY_CALLER.contains(kind());
    }

    /** Whether callers can change the value freely; of an expression, whether any name in it is theirs. */
    public boolean isChangedByCaller() {
        return isChosenByCaller() || asksFor(CHOSEN_IN_EXPRESSION);
    }

    /** Whether the value is known only when the caller is authenticated. */
    public boolean needsUser() {
        return kind().equals("user") || kind().equals("claim") || asksFor(USER_IN_EXPRESSION);
    }

    /** Whether the value is known only when the resource method is matched. */
    public boolean needsMatch() {
        return kind().equals("endpoint") || kind().equals("path") || asksFor(MATCH_IN_EXPRESSION);
    }

    private boolean asksFor(Set<String> names) {
        return isExpression() && expressionNames().stream().anyMatch(names::contains);
    }

    private boolean isExpression() {
        return name.startsWith(EXPRESSION);
    }

    private Set<String> expressionNames() {
        return ElIdentifiers.in(name);
    }

    static KeyValueSource literal(String text) {
        return new KeyValueSource(LITERAL, true, request -> text);
    }

    /**
     * An expression of Jakarta Expression Language.
     *
     * @throws IllegalArgumentException if it cannot be compiled here
     */
    static KeyValueSource expression(String text) {
        if (!Platform.hasExpressions()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" needs Jakarta Expression Language, which this server does not have");
        }
        return new KeyValueSource(text, false, ElExpression.compile(text));
    }

    /**
     * The source behind a placeholder such as {@code user} or {@code header:X-Device}, with {@code ~fold} or without.
     *
     * @param inExpression what the developer wrote, for the message
     * @throws IllegalArgumentException if there is no such placeholder
     */
    static KeyValueSource of(String placeholder, String inExpression) {
        requireKnownSuffix(placeholder, inExpression);
        String unfolded = withoutFold(placeholder);
        KeyValueSource source = unfolded(unfolded, inExpression);
        return unfolded.equals(placeholder) ? source : source.folded();
    }

    /**
     * Refuses a suffix that resembles {@code ~fold}, or that follows a name without a parameter. A parameter may have other tildes.
     */
    private static void requireKnownSuffix(String placeholder, String inExpression) {
        int tilde = placeholder.lastIndexOf('~');
        if (tilde < 0 || placeholder.endsWith(FOLD)) {
            return;
        }
        String suffix = placeholder.substring(tilde);
        if (PLAIN.contains(placeholder.substring(0, tilde).strip()) || Suggestions.isNear(suffix, FOLD)) {
            throw new IllegalArgumentException(
                    "unknown \"" + suffix + "\" in \"" + inExpression + "\"; what may follow a name is \"~fold\"");
        }
    }

    private KeyValueSource folded() {
        return new KeyValueSource(name + FOLD, alwaysPresent, request -> {
            String value = value(request);
            return value == null ? null : CaseFolding.fold(value);
        });
    }

    private static KeyValueSource unfolded(String placeholder, String inExpression) {
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
            return new KeyValueSource(name + ':' + parameter, false, withParameter(name, parameter));
        }
        throw new IllegalArgumentException("unknown name \"" + name + "\" in \"" + inExpression + "\"; "
                + Suggestions.suggest(
                        name,
                        Stream.concat(PLAIN.stream(), WITH_PARAMETER.stream()).toList()));
    }

    private static KeyValueSource plain(String name) {
        return switch (name) {
            case "user" ->
                new KeyValueSource(
                        name,
                        false,
                        request ->
                                request.user() == null ? null : request.user().getName());
            case "ip" -> new KeyValueSource(name, true, LimitedRequest::clientAddress);
            case "endpoint" -> new KeyValueSource(name, true, LimitedRequest::endpoint);
            case "verb" -> new KeyValueSource(name, true, LimitedRequest::method);
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
            case "bean" -> new KeyResolverBean(parameter)::key;
            default -> throw new IllegalStateException("no placeholder " + name);
        };
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    private static Function<LimitedRequest, String> claim(String name) {
        if (!Platform.hasJwt()) {
            throw new IllegalArgumentException("\"claim:" + name
                    + "\" is a claim of a MicroProfile JWT, which this server does not have; add"
                    + " microprofile-jwt-auth-api and what implements it, or use {bean:...}");
        }
        return request -> JwtClaims.of(request.user(), name);
    }

    private static String withoutFold(String placeholder) {
        return placeholder.endsWith(FOLD)
                ? placeholder.substring(0, placeholder.length() - FOLD.length()).strip()
                : placeholder;
    }
}
