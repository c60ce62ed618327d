package dev.limiter.jaxrs.internal.key;

import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The functions and members that an expression names, as far as they are known without a
 * request. An expression has no functions. The types of {@code request}, {@code ip} and
 * {@code endpoint} are known; that of {@code user} is the server's, and that of a bean a proxy's.
 */
final class ElMembers {
    private static final Map<String, Class<?>> TYPES =
            Map.of("request", LimitedRequest.class, "ip", String.class, "endpoint", String.class);
    private static final String NAME = "(?<![\\w$.:])([A-Za-z_$][\\w$]*)";
    private static final Pattern FUNCTION = Pattern.compile(NAME + "\\s*\\(");
    private static final Pattern MEMBER = Pattern.compile(NAME + "\\.([A-Za-z_$][\\w$]*)\\s*(\\()?");

    private ElMembers() {}

    /**
     * @param expression with {@code #{} and closing brace
     * @throws IllegalArgumentException if it names a function, or a member that does not exist
     */
    static void requireExisting(String expression) {
        String plain = ElIdentifiers.unquoted(expression);
        boolean hasLambda = plain.contains("->"); // its parameters hide names, and can be functions
        if (hasLambda) {
            return;
        }
        Matcher function = FUNCTION.matcher(plain);
        while (function.find()) {
            if (!ElIdentifiers.WORDS_OF_THE_LANGUAGE.contains(function.group(1))) {
                throw new IllegalArgumentException("\"" + expression + "\" calls a function \"" + function.group(1)
                        + "\", and there are none; call a method of a named bean");
            }
        }
        Matcher member = MEMBER.matcher(plain);
        while (member.find()) {
            Class<?> type = TYPES.get(member.group(1));
            if (type != null) {
                requireMember(expression, member.group(1), type, member.group(2), member.group(3) != null);
            }
        }
    }

    private static void requireMember(String expression, String base, Class<?> type, String name, boolean isCall) {
        List<String> methods = Stream.of(type.getMethods())
                .map(Method::getName)
                .distinct()
                .sorted()
                .toList();
        if (isCall ? methods.contains(name) : hasGetter(type, name)) {
            return;
        }
        throw new IllegalArgumentException("\"" + expression + "\": " + base + " has no "
                + (isCall ? "method" : "property") + " \"" + name + "\"; "
                + (!isCall && methods.contains(name)
                        ? "it is a method, write " + base + '.' + name + "(...)"
                        : Suggestions.suggest(name, methods)));
    }

    private static boolean hasGetter(Class<?> type, String property) {
        String capital = property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
        return Stream.of(type.getMethods())
                .filter(method -> method.getParameterCount() == 0)
                .anyMatch(method -> method.getName().equals("get" + capital)
                        || method.getName().equals("is" + capital));
    }
}
