package dev.limiter.jaxrs.internal.key;

import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names in an expression: {@code user} of {@code #{user.name}}, and {@code request.header}
 * of {@code #{request['header']('X-Tenant')}}. They are read from its text, so that every server
 * refuses the same expressions.
 */
final class ElIdentifiers {
    private static final Pattern QUOTED = Pattern.compile("'(?:\\\\.|[^'\\\\])*'|\"(?:\\\\.|[^\"\\\\])*\"");
    private static final Pattern BRACKETS = Pattern.compile("(?<=[\\w$)\\]])\\s*\\[\\s*(['\"])(\\w+)\\1\\s*]");
    private static final Pattern BLANKS = Pattern.compile("\\s*([.,()])\\s*");

    /** A bean that is given the request says itself what is in it. */
    private static final Pattern ARGUMENT = Pattern.compile("(?<=[\\w$]\\(|,)request(?=[,)])");

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
        return NAME.matcher(ARGUMENT.matcher(unquoted(expression)).replaceAll(""))
                .results()
                .map(MatchResult::group)
                .filter(name -> !WORDS_OF_THE_LANGUAGE.contains(name))
                .collect(Collectors.toSet());
    }

    /** The expression with empty literals, and with a dot where brackets stand for one. */
    static String unquoted(String expression) {
        String dotted = BRACKETS.matcher(expression).replaceAll(".$2");
        return BLANKS.matcher(QUOTED.matcher(dotted).replaceAll("''")).replaceAll("$1");
    }
}
