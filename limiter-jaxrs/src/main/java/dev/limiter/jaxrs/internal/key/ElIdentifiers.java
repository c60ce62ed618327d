package dev.limiter.jaxrs.internal.key;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an expression asks for by name: {@code user} of {@code #{user.name}}, and {@code request.header} of
 * {@code #{request.header('X-Tenant')}}. Read from its text, so that every server refuses the same.
 */
final class ElIdentifiers {
    private static final Pattern QUOTED = Pattern.compile("'(?:\\\\.|[^'\\\\])*'|\"(?:\\\\.|[^\"\\\\])*\"");
    private static final Pattern AROUND_DOT = Pattern.compile("\\s*\\.\\s*");
    /** Not what stands behind a dot: that belongs to what stands before it. Of the request, what is asked of it. */
    private static final Pattern NAME = Pattern.compile("(?<![\\w$.])(?:request\\.)?[A-Za-z_$][\\w$]*");

    private static final Set<String> WORDS_OF_THE_LANGUAGE = Set.of(
            "and",
            "or",
            "not",
            "eq",
            "ne",
            "lt",
            "gt",
            "le",
            "ge",
            "div",
            "mod",
            "empty",
            "instanceof",
            "true",
            "false",
            "null");

    private ElIdentifiers() {}

    /**
     * @param expression with {@code #{} and closing brace
     */
    static Set<String> in(String expression) {
        String unquoted = QUOTED.matcher(expression).replaceAll("''");
        Matcher name = NAME.matcher(AROUND_DOT.matcher(unquoted).replaceAll("."));
        Set<String> names = new TreeSet<>();
        while (name.find()) {
            names.add(name.group());
        }
        names.removeAll(WORDS_OF_THE_LANGUAGE);
        return names;
    }
}
