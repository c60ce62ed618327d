package dev.limiter.jaxrs.internal.key;

import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.LimitedRequest;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A compiled key expression. It computes the partition of a request.
 *
 * @param text as written
 * @param toldMissing runs when a request lacks a part of its key
 */
public record KeyExpression(String text, List<Segment> parts, Runnable toldMissing) {

    /**
     * Compiles an expression such as <code>"{path:show}/{header:X-Device|'none'}"</code>.
     *
     * @throws IllegalArgumentException with the mistake and its correction
     */
    public static KeyExpression compile(String text) {
        return new KeyExpression(text, new KeyExpressionParser(text).parse(), () -> {});
    }

    /**
     * The same expression with a listener for requests that lack a part of their key, and are
     * counted on their address instead.
     */
    public KeyExpression whenMissing(Runnable told) {
        return new KeyExpression(text, parts, told);
    }

    /**
     * The same expression for a stated caller. It has no listener for missing parts.
     *
     * @param stated values by placeholder, which are not read from a request
     */
    public KeyExpression given(Map<String, String> stated) {
        return new KeyExpression(
                text, parts.stream().map(part -> part.given(stated)).toList(), () -> {});
    }

    public PartitionKey partition(LimitedRequest request) {
        PartitionKey.Builder key = PartitionKey.builder();
        boolean whole = true;
        for (Segment part : parts) {
            whole &= part.addTo(key, request);
        }
        if (!whole) {
            toldMissing.run();
        }
        return key.build();
    }

    /**
     * Compiles an expression that is a single placeholder with alternatives, for a value that is
     * no key.
     *
     * @param example what the member takes, for the error
     * @throws IllegalArgumentException with the mistake and its correction
     */
    public static Segment single(String text, String example) {
        List<Segment> parts = new KeyExpressionParser(text).parse();
        if (parts.size() > 1) {
            throw new IllegalArgumentException("\"" + text + "\" must be one placeholder, such as \"" + example
                    + "\"; it has " + parts.size() + " parts");
        }
        return parts.get(0);
    }

    /**
     * Compiles such an expression, of which no caller may choose the value.
     *
     * @param would what a caller would do by it, for the error
     * @throws IllegalArgumentException with the mistake and its correction
     */
    public static Segment ofServer(String text, String example, String would) {
        Segment asked = single(text, example);
        String chosen = asked.alternatives().stream()
                .filter(KeyValueSource::isChosenByCaller)
                .map(KeyValueSource::written)
                .collect(Collectors.joining("\" or \""));
        if (!chosen.isEmpty()) {
            throw new IllegalArgumentException('"' + chosen + "\" is written by the caller, who could " + would
                    + "; take it from \"{claim:...}\", \"{attribute:...}\" or \"{bean:...}\"");
        }
        return asked;
    }

    /** The placeholders that may give a value, alternatives included. */
    public List<KeyValueSource> sources() {
        return parts.stream().flatMap(part -> part.alternatives().stream()).toList();
    }

    /**
     * The expression as written, with the address where a missing key is counted: <code>{user} →
     * {ip}</code>.
     */
    public String describe() {
        boolean canBeMissing =
                parts.stream().anyMatch(part -> part.alternatives().stream().noneMatch(KeyValueSource::alwaysPresent));
        return canBeMissing ? text + " → {ip}" : text;
    }

    /** Alternatives of which the first present one counts; the client address when none is. */
    public record Segment(List<KeyValueSource> alternatives) {
        /**
         * The same for a stated caller: see {@link KeyExpression#given}.
         */
        public Segment given(Map<String, String> stated) {
            return new Segment(
                    alternatives.stream().map(source -> source.given(stated)).toList());
        }

        /**
         * Adds the value, or the address if it is missing. Returns whether the value was there.
         */
        boolean addTo(PartitionKey.Builder key, LimitedRequest request) {
            for (KeyValueSource source : alternatives) {
                String value = source.value(request);
                if (value != null && !value.isEmpty()) {
                    key.add(source.name(), value);
                    return true;
                }
            }
            key.add("ip", request.clientAddress());
            return false;
        }

        /** The value of the first alternative that is there; null if none is. */
        public String value(LimitedRequest request) {
            for (KeyValueSource source : alternatives) {
                String value = source.value(request);
                if (value != null && !value.isEmpty()) {
                    return value;
                }
            }
            return null;
        }
    }
}
