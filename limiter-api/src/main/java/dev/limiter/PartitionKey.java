package dev.limiter;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a limit counts separately: one or more named values, such as <code>user = "alice"</code>.
 *
 * <p>Different parts never give equal keys: {@code PartitionKey.of("user", "alice")} and
 * {@code PartitionKey.of("ip", "alice")} differ, as do the parts {@code ("a:b", "c")} and
 * {@code ("a", "b:c")}. A value may be any text; beyond {@value #MAX_VALUE_LENGTH} characters it
 * is cut. Stores keep a digest, never the text.
 *
 * <p>Keys are comparable because callers could choose values with equal hash codes: a hash table
 * then looks them up as in a tree.
 */
public final class PartitionKey implements Comparable<PartitionKey> {

    /**
     * How many characters of a value count. Longer values are cut, so that a header of 1 MiB costs
     * no more than this.
     */
    public static final int MAX_VALUE_LENGTH = 1_024;

    private final String text;
    private final long stableHash;

    private PartitionKey(String text) {
        this.text = text;
        this.stableHash = stableHash(text);
    }

    /**
     * {@return the key with one part}
     *
     * @param name where the value comes from, such as {@code user}
     * @param value any text, also empty
     */
    public static PartitionKey of(String name, String value) {
        return new Builder().add(name, value).build();
    }

    /** {@return a builder for a key of several parts} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@return all parts with their names and lengths, equal for equal parts only} It is personal
     * data: do not log it.
     */
    public String text() {
        return text;
    }

    /**
     * {@return the values by the names of their parts; of parts with equal names the first}
     * {@code of("user", "alice").values()} is {@code {user=alice}}. They are personal data: do not
     * log them.
     */
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        int at = 0;
        while (at < text.length()) {
            String name = lengthPrefixedAt(at);
            at = text.indexOf(':', at) + 1 + name.length();
            String value = lengthPrefixedAt(at);
            at = text.indexOf(':', at) + 1 + value.length();
            values.putIfAbsent(name, value);
        }
        return values;
    }

    private String lengthPrefixedAt(int at) {
        int colon = text.indexOf(':', at);
        return text.substring(colon + 1, colon + 1 + Integer.parseInt(text, at, colon, 10));
    }

    /**
     * {@return a whole number from 0 that scatters keys evenly and is the same in every process}
     * Fixed windows begin at this offset, so that not all quotas come back at once.
     */
    public long stableHash() {
        return stableHash;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionKey key && text.equals(key.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Compares the texts. The result is 0 for equal keys only. */
    @Override
    public int compareTo(PartitionKey other) {
        return text.compareTo(other.text);
    }

    /** Leaves out the values, which may be personal. */
    @Override
    public String toString() {
        return "PartitionKey[" + Long.toHexString(stableHash) + "]";
    }

    /** FNV-1a, and the finisher of MurmurHash3 for its weak high bits. */
    private static long stableHash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return (hash ^ hash >>> 33) & Long.MAX_VALUE;
    }

    /** Collects the parts of a key, in order. */
    public static final class Builder {
        private final StringBuilder text = new StringBuilder(64);

        private Builder() {}

        /**
         * Adds a part.
         *
         * @param name where the value comes from, such as {@code user} or
         *     {@code header:X-Api-Key}
         * @param value any text, also empty
         * @return this builder
         */
        public Builder add(String name, String value) {
            lengthPrefixed(name, name.length());
            lengthPrefixed(value, Math.min(value.length(), MAX_VALUE_LENGTH));
            return this;
        }

        /** {@return the key of the parts added so far} */
        public PartitionKey build() {
            return new PartitionKey(text.toString());
        }

        private void lengthPrefixed(String part, int length) {
            text.append(length).append(':').append(part, 0, length);
        }
    }
}
