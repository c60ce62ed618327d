package dev.limiter.jaxrs.internal.key;

import dev.limiter.PartitionKey;
import dev.limiter.Stage;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.platform.CaseFolding;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The source of one value of a key, a cost or a tier: a literal, a placeholder such as
 * {@code header:X-Device~fold}, or an expression of Jakarta Expression Language.
 *
 * @param name enters the key beside the value: {@code literal}, a placeholder with parameter and
 *     {@code ~fold}, or the text of an expression with {@code #{} and closing brace
 * @param placeholder null for a literal or an expression
 * @param parameter of the placeholder; empty if there is none
 */
public record KeyValueSource(
        String name, Placeholder placeholder, String parameter, Function<LimitedRequest, String> reader) {
    private static final String LITERAL = "literal";
    private static final String EXPRESSION = "#{";
    private static final String FOLD = "~fold";

    /** The same text for every request. */
    static KeyValueSource literal(String text) {
        return new KeyValueSource(LITERAL, null, "", request -> text);
    }

    /**
     * An expression of Jakarta Expression Language.
     *
     * @throws IllegalArgumentException if it cannot be compiled here
     */
    static KeyValueSource expression(String text) {
        if (!Platform.isPresent("jakarta.el.ExpressionFactory")) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" needs Jakarta Expression Language, which this server does not have");
        }
        return new KeyValueSource(text, null, "", ElExpression.compile(text));
    }

    /**
     * The source behind a placeholder such as {@code user} or {@code header:X-Device}, with
     * {@code ~fold} or without.
     *
     * @param inExpression what the developer wrote, for the message
     * @throws IllegalArgumentException if there is no such placeholder
     */
    static KeyValueSource of(String text, String inExpression) {
        requireKnownSuffix(text, inExpression);
        boolean folds = text.endsWith(FOLD);
        String unfolded = folds ? unfolded(text).strip() : text;
        int colon = unfolded.indexOf(':');
        String word = colon < 0 ? unfolded : unfolded.substring(0, colon);
        String parameter = colon < 0 ? "" : unfolded.substring(colon + 1).strip();
        Placeholder placeholder = Placeholder.of(word).orElseThrow(() -> unknown(word, inExpression));
        if (!placeholder.takesParameter() && colon >= 0) {
            throw new IllegalArgumentException(
                    "\"" + word + "\" takes no parameter in \"" + inExpression + "\"; write \"{" + word + "}\"");
        }
        if (placeholder.takesParameter() && parameter.isEmpty()) {
            throw new IllegalArgumentException(
                    "\"" + word + "\" needs a parameter in \"" + inExpression + "\"; write \"{" + word + ":...}\"");
        }
        String name = parameter.isEmpty() ? word : word + ':' + parameter;
        return new KeyValueSource(folds ? name + FOLD : name, placeholder, parameter, placeholder.reader(parameter));
    }

    /**
     * Refuses a suffix that resembles {@code ~fold}, or that follows a name without a
     * parameter. A parameter may have other tildes.
     */
    private static void requireKnownSuffix(String text, String inExpression) {
        int tilde = text.lastIndexOf('~');
        if (tilde < 0 || text.endsWith(FOLD)) {
            return;
        }
        String suffix = text.substring(tilde);
        Optional<Placeholder> before = Placeholder.of(text.substring(0, tilde).strip());
        boolean standsAlone = before.isPresent() && !before.get().takesParameter();
        if (standsAlone || Suggestions.isNear(suffix, FOLD)) {
            throw new IllegalArgumentException(
                    "unknown \"" + suffix + "\" in \"" + inExpression + "\"; only \"~fold\" may follow a name");
        }
    }

    private static IllegalArgumentException unknown(String word, String inExpression) {
        List<String> known =
                Stream.of(Placeholder.values()).map(Placeholder::word).toList();
        boolean isBody = List.of("body", "json").contains(word);
        return new IllegalArgumentException("unknown name \"" + word + "\" in \"" + inExpression + "\"; "
                + (isBody
                        ? "only the method reads the body; let it call RateLimits.acquire(policy, key)"
                        : Suggestions.suggest(word, known)));
    }

    /** The value; null or empty when it is missing. */
    public String value(LimitedRequest request) {
        String value = reader.apply(request);
        return value != null && name.endsWith(FOLD) ? CaseFolding.fold(value) : value;
    }

    /** Whether every request has it. */
    boolean alwaysPresent() {
        return isLiteral() || placeholder != null && placeholder.alwaysPresent();
    }

    /** As it is written in a key: <code>{user}</code>, or <code>#{user.name}</code>. */
    public String written() {
        return name.startsWith(EXPRESSION) ? name : '{' + name + '}';
    }

    public boolean isLiteral() {
        return name.equals(LITERAL);
    }

    /** Whether it is this placeholder, with any parameter. */
    public boolean is(Placeholder one) {
        return placeholder == one;
    }

    /** The placeholders whose values are in it. An expression asks for them by other names. */
    public List<Placeholder> placeholders() {
        return placeholder != null
                ? List.of(placeholder)
                : ElIdentifiers.in(name).stream()
                        .flatMap(each -> Placeholder.ofExpression(each).stream())
                        .toList();
    }

    /**
     * Whether callers can choose the value freely; of an expression, whether all its names are
     * of that kind. The caller does not choose a name that means no placeholder.
     */
    public boolean isChosenByCaller() {
        List<Placeholder> all = placeholders();
        int names = placeholder != null ? 1 : ElIdentifiers.in(name).size();
        return !all.isEmpty() && all.size() == names && all.stream().allMatch(Placeholder::isChosenByCaller);
    }

    /**
     * Whether callers can change the value freely; of an expression, whether any of its names is
     * of that kind.
     */
    public boolean isChangedByCaller() {
        return placeholders().stream().anyMatch(Placeholder::isChosenByCaller);
    }

    /** Whether the value is known only when the caller is authenticated. */
    public boolean needsUser() {
        return placeholders().stream().anyMatch(each -> each.earliest() == Stage.AFTER_AUTHENTICATION);
    }

    /** Whether the value is known only when the resource method is matched. */
    public boolean needsMatch() {
        return placeholders().stream().anyMatch(each -> each.earliest() == Stage.BEFORE_AUTHENTICATION);
    }

    /** The name without {@code ~fold}. */
    public String unfoldedName() {
        return unfolded(name);
    }

    /**
     * The same source for a stated caller, who has normalised addresses and verbs already.
     *
     * @param stated values by unfolded name, which are not read from a request
     */
    KeyValueSource given(Map<String, String> stated) {
        String value = stated.get(unfoldedName());
        return value == null || isLiteral() || is(Placeholder.IP) || is(Placeholder.VERB)
                ? this
                : new KeyValueSource(name, placeholder, parameter, request -> value);
    }

    /**
     * A placeholder as it stands in a key, without {@code ~fold}.
     *
     * @throws IllegalArgumentException if there is no such placeholder
     */
    public static String unfoldedName(String placeholder) {
        return placeholder.startsWith(EXPRESSION)
                ? placeholder
                : of(placeholder, placeholder).unfoldedName();
    }

    /** The first value in a key of each name, without {@code ~fold}. */
    public static Map<String, String> unfolded(PartitionKey key) {
        Map<String, String> values = new HashMap<>();
        key.values().forEach((name, value) -> values.putIfAbsent(unfolded(name), value));
        return values;
    }

    private static String unfolded(String name) {
        return name.endsWith(FOLD) ? name.substring(0, name.length() - FOLD.length()) : name;
    }
}
