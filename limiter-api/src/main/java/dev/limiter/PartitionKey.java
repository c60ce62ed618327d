package dev.limiter;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a limit counts: named parts, such as <code>user = "alice"</code>, joined so that
 * different parts never give equal keys.
 *
 * <p>{@code PartitionKey.of("user", "alice")} and {@code PartitionKey.of("ip", "alice")} differ,
 * as do the parts {@code ("a:b", "c")} and {@code ("a", "b:c")}. Values are data of any kind. A
 * value longer than {@value #MAX_VALUE_LENGTH} characters is cut. Stores keep a digest, never
 * the text.
 *
 * <p>Callers choose values, and could choose texts with equal hash codes. Keys are comparable,
 * so that the lookup in a hash table then takes the time of a tree.
 */
public final class PartitionKey implements Comparable<PartitionKey> {

    /**
     * Characters of a part's value that count. Longer values are cut, so that a header of 1 MiB
     * costs no more than this.
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

    /**
     * Begins a key of several parts.
     *
     * @return a builder without parts
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@return all parts with their names and lengths: equal for equal parts only} It is
     * personal data and must not be logged.
     */
    public String text() {
        return text;
    }

    /**
     * {@return the values by the names of their parts; of parts with equal names the first}
     * {@code of("user", "alice").values()} is {@code {user=alice}}. They are personal data and
     * must not be logged.
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
     * {@return a whole number from 0 that scatters keys evenly, the same in every process} Fixed
     * windows begin at this offset, so that the quotas of different keys do not all come back at
     * one instant.
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

    /** Compares the texts; 0 for equal keys only. */
    @Override
    public int compareTo(PartitionKey other) {
        return text.compareTo(other.text);
    }

    /** A text without the values, which may be personal. */
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
