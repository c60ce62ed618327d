package dev.limiter.jaxrs.internal.key;

import dev.limiter.Enforcement;
import dev.limiter.Policy;
import dev.limiter.jaxrs.LimitedRequest;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The units that a request takes: a number, or the value of a placeholder, at most what the
 * limit can hold.
 *
 * @param fixed the number of units; 0 if it depends on the request, or on its method
 * @param asked null for a number
 */
public record CostExpression(String text, long fixed, KeyExpression.Segment asked) {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");

    public static final CostExpression ONE = new CostExpression("1", 1, null);

    /** The filter charges nothing: the method reserves the units. */
    public static final CostExpression BY_METHOD = new CostExpression("0", 0, null);

    /**
     * Compiles {@code "5"}, {@code "0"}, or <code>"{query:size|'20'}"</code>.
     *
     * @throws IllegalArgumentException saying what is wrong and what would be right
     */
    public static CostExpression compile(String text) {
        if (text.strip().equals("1")) {
            return ONE;
        }
        if (text.strip().equals("0")) {
            return BY_METHOD;
        }
        if (isNumber(text.strip())) {
            long units = read(text.strip(), Long.MAX_VALUE);
            if (units < 1) {
                throw new IllegalArgumentException(
                        "cost must be at least 1 unit, or \"0\" if the method reserves the units, was " + text.strip());
            }
            return new CostExpression(text, units, null);
        }
        if (text.indexOf('{') < 0) {
            throw new IllegalArgumentException("\"" + text
                    + "\" is not a whole number of units; write \"5\", or a placeholder with a default, such as"
                    + " \"{query:size|'20'}\"");
        }
        KeyExpression.Segment part = KeyExpression.single(text, "{query:size|'20'}");
        List<KeyValueSource> alternatives = part.alternatives();
        KeyValueSource last = alternatives.get(alternatives.size() - 1);
        String otherwise = last.isLiteral() ? last.value(null) : "";
        if (!isNumber(otherwise) || read(otherwise, 0) < 1) {
            throw new IllegalArgumentException("\"" + text
                    + "\" must end in a whole number of at least 1 for requests without a value, as in"
                    + " \"{query:size|'20'}\"");
        }
        return new CostExpression(text, 0, part);
    }

    /** The placeholders that may give a value. */
    public List<KeyValueSource> sources() {
        return asked == null ? List.of() : asked.alternatives();
    }

    /** The text as written. */
    public String describe() {
        return text.strip();
    }

    /**
     * The units of a request: from 1 to what the policy can hold. A value that cannot be read, or
     * is more, costs the latter. A soft limit holds more than any invoice should: there it costs
     * the limit.
     */
    public long of(LimitedRequest request, Policy policy) {
        long units = asked == null ? fixed : read(asked.value(request).strip(), Long.MAX_VALUE);
        if (units > policy.maxCost()) {
            return policy.enforcement() == Enforcement.SOFT ? policy.capacity() : policy.maxCost();
        }
        return Math.max(1, units);
    }

    private static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }

    private static long read(String text, long unreadable) {
        if (!isNumber(text)) {
            return unreadable;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException huge) {
            return text.startsWith("-") ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
