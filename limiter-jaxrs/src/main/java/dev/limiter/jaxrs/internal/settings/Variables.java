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
     * A text with its variables replaced.
     *
     * @param text the setting as it is written
     * @param texts the text of a variable as it is written; null if it is not set
     * @throws InvalidSettingException naming the variables that are not set and have no default;
     *     without the text, which may be secret
     */
    static String replace(String setting, String text, UnaryOperator<String> texts) {
        Variables variables = new Variables(setting, texts);
        String replaced = variables.replaced(text, 0);
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
        return replaced;
    }

    /**
     * The variables that settings need, as <code>${name}</code>: a name of the limiter's among
     * them is no setting that nothing reads.
     *
     * @param texts as above
     */
    static Set<String> neededBy(Iterable<String> settings, UnaryOperator<String> texts) {
        Set<String> needed = new TreeSet<>();
        UnaryOperator<String> noted = variable -> {
            needed.add(BEGIN + variable + '}');
            return texts.apply(variable);
        };
        for (String name : settings) {
            try {
                String text = name.startsWith(SettingNames.PREFIX) ? texts.apply(name) : null;
                new Variables(name, noted).replaced(text == null ? "" : text, 0);
            } catch (InvalidSettingException wrong) {
                // told where its value is read
            }
        }
        return needed;
    }

    private String replaced(String text, int depth) {
        if (depth > DEEPEST) {
            throw new InvalidSettingException(setting, "has variables that need themselves");
        }
        StringBuilder replaced = new StringBuilder();
        int from = 0;
        for (int begin = next(text, 0); begin >= 0; begin = next(text, from)) {
            int end = outside(text, begin + BEGIN.length(), '}');
            if (end < 0) {
                malformed = true;
                return text;
            }
            replaced.append(plain(text.substring(from, begin)))
                    .append(valueOf(text.substring(begin + BEGIN.length(), end), depth + 1));
            from = end + 1;
        }
        return replaced.append(plain(text.substring(from))).toString();
    }

    /** @param variable with its default, without braces */
    private String valueOf(String variable, int depth) {
        if (++looked > MOST) {
            throw new InvalidSettingException(setting, "needs more than 1,000 variables, with those that they need");
        }
        int colon = outside(variable, 0, ':');
        String name = replaced(colon < 0 ? variable : variable.substring(0, colon), depth);
        String text = name.isEmpty() ? null : texts.apply(name);
        if (text == null && colon >= 0 && !name.isEmpty()) {
            text = variable.substring(colon + 1);
        }
        if (text != null) {
            return replaced(text, depth);
        }
        malformed |= name.isEmpty();
        missing.add(name);
        return "";
    }

    /** A text without variables, as it is meant. SmallRye Config reads a backslash so, too. */
    private static String plain(String text) {
        return text.replace("\\$", "$");
    }

    /** Where the next variable begins that no backslash turns into text; -1 for none. */
    private static int next(String text, int from) {
        int begin = text.indexOf(BEGIN, from);
        while (begin > 0 && text.charAt(begin - 1) == '\\') {
            begin = text.indexOf(BEGIN, begin + 1);
        }
        return begin;
    }

    /** Where a character stands that is in no further variable; -1 for nowhere. */
    private static int outside(String text, int from, char wanted) {
        int open = 0;
        for (int i = from; i < text.length(); i++) {
            if (open == 0 && text.charAt(i) == wanted) {
                return i;
            }
            if (text.startsWith(BEGIN, i)) {
                open++;
            } else if (text.charAt(i) == '}') {
                open--;
            }
        }
        return -1;
    }
}
