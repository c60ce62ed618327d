package dev.limiter.jaxrs.internal.settings;

import dev.limiter.spi.InvalidSettingException;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The variables of a setting, as in <code>${REDIS_URI}</code> or <code>${REDIS_URI:default}</code>.
 * Implementations of MicroProfile Config differ in what they make of a variable that is not set:
 * no value at all, or the text without it.
 */
final class Variables {
    private static final String BEGIN = "${";
    private static final int DEEPEST = 16;
    private static final int MOST = 1_000;

    private final String setting;
    private final UnaryOperator<String> texts;
    private final Set<String> missing = new TreeSet<>();
    private boolean malformed;
    private int looked;

    private Variables(String setting, UnaryOperator<String> texts) {
        this.setting = setting;
        this.texts = texts;
    }

    /**
     * Refuses a setting with a variable that is not set and has no default.
     *
     * @param text the setting as it is written; null if it is not set
     * @param texts the text of a variable as it is written; null if it is not set
     * @throws InvalidSettingException naming the variables; without the text, which may be secret
     */
    static void requireAllSet(String setting, String text, UnaryOperator<String> texts) {
        if (text == null || !text.contains(BEGIN)) {
            return;
        }
        Variables variables = new Variables(setting, texts);
        variables.lookIn(text, 0);
        if (variables.malformed) { // its name may be the rest of a password
            throw new InvalidSettingException(
                    setting, "has \"${\" without \"}\" or without a name; if this is no variable, write \"\\${\"");
        }
        if (!variables.missing.isEmpty()) {
            throw new InvalidSettingException(
                    setting,
                    "needs ${" + String.join("} and ${", variables.missing) + "}, which is not set; where it may be"
                            + " missing, write a default, such as ${"
                            + variables.missing.iterator().next() + ":}");
        }
    }

    /**
     * A text with its variables replaced.
     *
     * @param texts the text of a variable as it is written; null if it is not set
     * @throws InvalidSettingException if a variable is not set, or needs itself
     */
    static String replace(String setting, String text, UnaryOperator<String> texts) {
        return replace(setting, text, texts, 0);
    }

    private static String replace(String setting, String text, UnaryOperator<String> texts, int depth) {
        if (depth > DEEPEST) {
            throw new InvalidSettingException(setting, "has variables that need themselves");
        }
        StringBuilder replaced = new StringBuilder();
        int from = 0;
        for (int begin = next(text, 0); begin >= 0; begin = next(text, from)) {
            int end = end(text, begin);
            String variable = text.substring(begin + BEGIN.length(), end);
            int colon = defaultOf(variable);
            String name = replace(setting, colon < 0 ? variable : variable.substring(0, colon), texts, depth + 1);
            String value = texts.apply(name);
            if (value == null && colon < 0) {
                throw new InvalidSettingException(setting, "needs ${" + name + "}, which is not set");
            }
            replaced.append(plain(text.substring(from, begin)))
                    .append(replace(setting, value == null ? variable.substring(colon + 1) : value, texts, depth + 1));
            from = end + 1;
        }
        return replaced.append(plain(text.substring(from))).toString();
    }

    /** A text without variables, as it is meant. SmallRye Config reads a backslash so, too. */
    private static String plain(String text) {
        return text.replace("\\$", "$");
    }

    /** The colon after the name of a variable; -1 if it has no default. */
    private static int defaultOf(String variable) {
        int open = 0;
        for (int i = 0; i < variable.length(); i++) {
            if (variable.startsWith(BEGIN, i)) {
                open++;
            } else if (variable.charAt(i) == '}') {
                open--;
            } else if (variable.charAt(i) == ':' && open == 0) {
                return i;
            }
        }
        return -1;
    }

    /** Looks for variables in a text, and in the texts of these variables. */
    private void lookIn(String text, int depth) {
        for (int begin = next(text, 0); begin >= 0 && depth < DEEPEST; ) {
            int end = end(text, begin);
            if (end == text.length()) {
                malformed = true;
                return;
            }
            lookAt(text.substring(begin + BEGIN.length(), end), depth + 1);
            begin = next(text, end);
        }
    }

    private void lookAt(String variable, int depth) {
        if (++looked > MOST) {
            throw new InvalidSettingException(setting, "needs more than 1,000 variables, with those that they need");
        }
        int colon = variable.indexOf(':');
        String name = colon < 0 ? variable : variable.substring(0, colon);
        if (name.isEmpty()) {
            malformed = true;
        } else if (name.contains(BEGIN)) { // a name that another variable has
            lookIn(variable, depth);
        } else if (name.indexOf('=') < 0) { // which Payara has for its own kinds of variables
            String text = texts.apply(name);
            if (text != null) {
                lookIn(text, depth);
            } else if (colon < 0) {
                missing.add(name);
            } else {
                lookIn(variable.substring(colon + 1), depth);
            }
        }
    }

    /** Where the next variable begins that no backslash turns into text; -1 for none. */
    private static int next(String text, int from) {
        int begin = text.indexOf(BEGIN, from);
        while (begin > 0 && text.charAt(begin - 1) == '\\') {
            begin = text.indexOf(BEGIN, begin + 1);
        }
        return begin;
    }

    /** Where a variable ends: at its brace, or at the end of a text that lacks it. */
    private static int end(String text, int begin) {
        int open = 0;
        for (int i = begin; i < text.length(); i++) {
            if (text.startsWith(BEGIN, i)) {
                open++;
            } else if (text.charAt(i) == '}' && --open == 0) {
                return i;
            }
        }
        return text.length();
    }
}
