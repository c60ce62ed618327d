package dev.limiter.jaxrs.internal.key;

import java.util.BitSet;
import java.util.List;

/**
 * The responses that count: statuses and classes of them, {@code "401,403"}, {@code "5xx"}, or
 * all but one, {@code "!5xx"}.
 *
 * @param text as written; empty for all
 */
public record StatusSet(String text, BitSet counted) {
    private static final int MOST = 600;

    public static final StatusSet ALL = new StatusSet("", new BitSet());

    /**
     * @throws IllegalArgumentException saying what is wrong and what would be right
     */
    public static StatusSet parse(String text) {
        if (text.isBlank()) {
            return ALL;
        }
        BitSet counted = new BitSet(MOST);
        boolean negated = text.strip().startsWith("!");
        for (String item : (negated ? text.strip().substring(1) : text).split(",", -1)) {
            add(item.strip(), text, counted);
        }
        if (negated) {
            if (text.indexOf(',') >= 0) {
                throw new IllegalArgumentException("\"" + text
                        + "\" negates more than one; write the statuses that count, or one negation, \"!5xx\"");
            }
            counted.flip(0, MOST);
        }
        return new StatusSet(text.strip(), counted);
    }

    /** Whether every response counts, so that no unit is ever given back. */
    public boolean isAll() {
        return this == ALL;
    }

    public boolean contains(int status) {
        return isAll() || status >= MOST || status < 0 || counted.get(status);
    }

    public boolean containsAny(List<Integer> statuses) {
        return statuses.stream().anyMatch(this::contains);
    }

    private static void add(String item, String text, BitSet counted) {
        if (item.matches("[1-5]xx")) {
            int first = 100 * (item.charAt(0) - '0');
            counted.set(first, first + 100);
        } else if (item.matches("[1-5]\\d\\d")) {
            counted.set(Integer.parseInt(item));
        } else {
            throw new IllegalArgumentException(
                    "\"" + item + "\" in \"" + text
                            + "\" is not a status; write statuses and classes such as \"401,403\" or \"5xx\", or one negation, \"!5xx\"");
        }
    }
}
