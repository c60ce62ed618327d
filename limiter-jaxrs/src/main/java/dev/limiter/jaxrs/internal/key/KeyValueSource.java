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
import java.util.Set;
import java.util.stream.Stream;

/** The source of one value of a key, a cost or a tier. */
public sealed interface KeyValueSource {

    /**
     * The name that enters the key beside the value: {@code user}, {@code header:X-Device}, or
     * the whole text of an expression.
     */
    String name();

    /** The value; null or empty when it is missing. */
    String value(LimitedRequest request);

    /** Whether every request has it. */
    default boolean alwaysPresent() {
        return false;
    }

    /** As it is written in a key: <code>{user}</code>, or <code>#{user.name}</code>. */
    default String written() {
        return '{' + name() + '}';
    }

    default boolean isLiteral() {
        return this instanceof Literal;
    }

    /** Whether it is this placeholder, with any parameter. */
    default boolean is(Placeholder placeholder) {
        return this instanceof OfPlaceholder value && value.placeholder() == placeholder;
    }

    /** The parameter of a placeholder; empty if there is none. */
    default String parameter() {
        return "";
    }

    /** The placeholders whose values are in it. An expression asks for them by other names. */
    default List<Placeholder> placeholders() {
        return List.of();
    }

    /**
     * Whether callers can choose the value freely; of an expression, whether all its names are
     * of that kind.
     */
    default boolean isChosenByCaller() {
        return isChangedByCaller();
    }

    /**
     * Whether callers can change the value freely; of an expression, whether any of its names is
     * of that kind.
     */
    default boolean isChangedByCaller() {
        return placeholders().stream().anyMatch(Placeholder::isChosenByCaller);
    }

    /** Whether the value is known only when the caller is authenticated. */
    default boolean needsUser() {
        return placeholders().stream().anyMatch(each -> each.earliest() == Stage.AFTER_AUTHENTICATION);
    }

    /** Whether the value is known only when the resource method is matched. */
    default boolean needsMatch() {
        return placeholders().stream().anyMatch(each -> each.earliest() == Stage.BEFORE_AUTHENTICATION);
    }

    /** The name without {@code ~fold}. */
    default String unfoldedName() {
        return name();
    }

    /**
     * The same source for a stated caller.
     *
     * @param stated values by unfolded name, which are not read from a request
     */
    default KeyValueSource given(Map<String, String> stated) {
        return this;
    }

    /** The same text for every request. */
    record Literal(String text) implements KeyValueSource {
        @Override
        public String name() {
            return "literal";
        }

        @Override
        public String value(LimitedRequest request) {
            return text;
        }

        @Override
        public boolean alwaysPresent() {
            return true;
        }
    }

    /**
     * A placeholder such as {@code user} or {@code header:X-Device~fold}.
     *
     * @param name with parameter and {@code ~fold}
     * @param parameter empty for a placeholder without one
     * @param folds whether spellings of one value count as one
     */
    record OfPlaceholder(
            String name, Placeholder placeholder, String parameter, boolean folds, Placeholder.Reader reader)
            implements KeyValueSource {
        private static final String FOLD = "~fold";
        /** Placeholders whose values a stated caller has normalised already. */
        private static final Set<Placeholder> NORMALISED = Set.of(Placeholder.IP, Placeholder.VERB);

        /**
         * @param inExpression what the developer wrote, for the message
         * @throws IllegalArgumentException if there is no such placeholder
         */
        private static OfPlaceholder of(String text, String inExpression) {
            requireKnownSuffix(text, inExpression);
            boolean folds = text.endsWith(FOLD);
            String unfolded =
                    folds ? text.substring(0, text.length() - FOLD.length()).strip() : text;
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
            return new OfPlaceholder(
                    folds ? name + FOLD : name, placeholder, parameter, folds, placeholder.reader(parameter));
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
            Optional<Placeholder> before =
                    Placeholder.of(text.substring(0, tilde).strip());
            boolean standsAlone = before.isPresent() && !before.get().takesParameter();
            if (standsAlone || Suggestions.isNear(suffix, FOLD)) {
                throw new IllegalArgumentException(
                        "unknown \"" + suffix + "\" in \"" + inExpression + "\"; what may follow a name is \"~fold\"");
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

        @Override
        public String unfoldedName() {
            return unfolded(name);
        }

        @Override
        public String value(LimitedRequest request) {
            String value = reader.read(request);
            return folds && value != null ? CaseFolding.fold(value) : value;
        }

        @Override
        public boolean alwaysPresent() {
            return placeholder.alwaysPresent();
        }

        @Override
        public List<Placeholder> placeholders() {
            return List.of(placeholder);
        }

        @Override
        public KeyValueSource given(Map<String, String> stated) {
            String value = stated.get(unfoldedName());
            return value == null || NORMALISED.contains(placeholder)
                    ? this
                    : new OfPlaceholder(name, placeholder, parameter, folds, request -> value);
        }
    }

    /**
     * An expression of Jakarta Expression Language.
     *
     * @param name its text, with {@code #{} and closing brace
     */
    record OfExpression(String name, Placeholder.Reader reader) implements KeyValueSource {
        private static final String BEGIN = "#{";

        @Override
        public String value(LimitedRequest request) {
            return reader.read(request);
        }

        @Override
        public String written() {
            return name;
        }

        @Override
        public List<Placeholder> placeholders() {
            return ElIdentifiers.in(name).stream()
                    .flatMap(each -> Placeholder.ofExpression(each).stream())
                    .toList();
        }

        /** The caller does not choose a name that means no placeholder. */
        @Override
        public boolean isChosenByCaller() {
            List<Placeholder> all = placeholders();
            return !all.isEmpty()
                    && all.size() == ElIdentifiers.in(name).size()
                    && all.stream().allMatch(Placeholder::isChosenByCaller);
        }

        @Override
        public KeyValueSource given(Map<String, String> stated) {
            String value = stated.get(name);
            return value == null ? this : new OfExpression(name, request -> value);
        }
    }

    /**
     * A placeholder as it stands in a key, without {@code ~fold}.
     *
     * @throws IllegalArgumentException if there is no such placeholder
     */
    static String unfoldedName(String placeholder) {
        return placeholder.startsWith(OfExpression.BEGIN)
                ? placeholder
                : of(placeholder, placeholder).unfoldedName();
    }

    /** The first value in a key of each name, without {@code ~fold}. */
    static Map<String, String> unfolded(PartitionKey key) {
        Map<String, String> values = new HashMap<>();
        key.values().forEach((name, value) -> values.putIfAbsent(unfolded(name), value));
        return values;
    }

    private static String unfolded(String name) {
        return name.endsWith(OfPlaceholder.FOLD)
                ? name.substring(0, name.length() - OfPlaceholder.FOLD.length())
                : name;
    }

    static KeyValueSource literal(String text) {
        return new Literal(text);
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
        return new OfExpression(text, ElExpression.compile(text));
    }

    /**
     * The source behind a placeholder such as {@code user} or {@code header:X-Device}, with
     * {@code ~fold} or without.
     *
     * @param inExpression what the developer wrote, for the message
     * @throws IllegalArgumentException if there is no such placeholder
     */
    static KeyValueSource of(String placeholder, String inExpression) {
        return OfPlaceholder.of(placeholder, inExpression);
    }
}
