package dev.limiter.jaxrs.internal.key;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in an expression: {@code user} of {@code #{user.name}}, and {@code request.header}
 * of {@code #{request.header('X-Tenant')}}. They are read from its text, so that every server
 * refuses the same expressions.
 */
final class ElIdentifiers {
    private static final Pattern QUOTED = Pattern.compile("'(?:\\\\.|[^'\\\\])*'|\"(?:\\\\.|[^\"\\\\])*\"");
    private static final Pattern AROUND_DOT = Pattern.compile("\\s*\\.\\s*");
    /**
     * A name that does not follow a dot; a name behind a dot belongs to the one before it. For
     * {@code request} the name behind its dot is included.
     */
    private static final Pattern NAME = Pattern.compile("(?<![\\w$.])(?:request\\.)?[A-Za-z_$][\\w$]*");

    static final Set<String> WORDS_OF_THE_LANGUAGE =
            Set.of("and or not eq ne lt gt le ge div mod empty instanceof true false null".split(" "));

    private ElIdentifiers() {}

    /**
     * @param expression with {@code #{} and closing brace
     */
    static Set<String> in(String expression) {
        Matcher name = NAME.matcher(unquoted(expression));
        Set<String> names = new TreeSet<>();
        while (name.find()) {
            names.add(name.group());
        }
        names.removeAll(WORDS_OF_THE_LANGUAGE);
        return names;
    }

    /** The expression with empty literals, and without blanks around dots. */
    static String unquoted(String expression) {
        return AROUND_DOT.matcher(QUOTED.matcher(expression).replaceAll("''")).replaceAll(".");
    }
}
