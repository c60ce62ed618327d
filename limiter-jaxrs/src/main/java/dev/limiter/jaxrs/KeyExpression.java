package dev.limiter.jaxrs;

import dev.limiter.PartitionKey;
import java.util.ArrayList;
import java.util.List;

/** A compiled key expression: from a request to its partition, with nothing left to parse. */
final class KeyExpression {
    private final String text;
    private final List<Part> parts;

    private KeyExpression(String text, List<Part> parts) {
        this.text = text;
        this.parts = parts;
    }

    /**
     * Compiles an expression such as <code>"{path:show}/{header:X-Device|'none'}"</code>.
     *
     * @throws IllegalArgumentException saying what is wrong and what would be right
     */
    static KeyExpression compile(String text) {
        return new KeyExpression(text, new KeyExpressionParser(text).parse());
    }

    PartitionKey partition(CountedRequest request) {
        PartitionKey.Builder key = PartitionKey.builder();
        for (Part part : parts) {
            part.addTo(key, request);
        }
        return key.build();
    }

    /** The placeholders that may give a value, alternatives included. */
    List<KeySource> sources() {
        return parts.stream().flatMap(part -> part.alternatives().stream()).toList();
    }

    /** The expression as written, with the address where a missing key is counted: <code>{user} → {ip}</code>. */
    String describe() {
        boolean canBeMissing = parts.stream().anyMatch(part -> !part.alwaysPresent());
        return canBeMissing ? text + " → {ip}" : text;
    }

    /** Alternatives of which the first present one counts; the client address when none is. */
    record Part(List<KeySource> alternatives) {
        Part {
            alternatives = List.copyOf(new ArrayList<>(alternatives));
        }

        void addTo(PartitionKey.Builder key, CountedRequest request) {
            for (KeySource source : alternatives) {
                String value = source.value(request);
                if (value != null && !value.isEmpty()) {
                    key.add(source.name(), value);
                    return;
                }
            }
            key.add("ip", request.clientAddress());
        }

        boolean alwaysPresent() {
            return alternatives.stream().anyMatch(KeySource::alwaysPresent);
        }
    }
}
