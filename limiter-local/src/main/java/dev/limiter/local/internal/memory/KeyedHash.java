package dev.limiter.local.internal.memory;

import java.security.SecureRandom;

/**
 * A keyed hash of 128 bits: SipHash-2-4 of Aumasson and Bernstein. Callers do not know the key,
 * so they cannot choose texts whose hashes are equal. Not thread-safe.
 *
 * <p>Words of 64 bits are hashed. The caller begins with the lengths of the parts, so that
 * different inputs give different words.
 */
final class KeyedHash {
    private static final int ROUNDS_PER_WORD = 2;
    private static final int ROUNDS_AT_END = 4;
    private static final int CHARS_PER_WORD = 4;

    private final long key0;
    private final long key1;
    private long v0;
    private long v1;
    private long v2;
    private long v3;
    private final Digest digest = new Digest();

    KeyedHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    static KeyedHash ofRandomKey() {
        SecureRandom random = new SecureRandom();
        return new KeyedHash(random.nextLong(), random.nextLong());
    }

    /** Begins a new hash. */
    void begin() {
        v0 = key0 ^ 0x736f6d6570736575L;
        v1 = key1 ^ 0x646f72616e646f6dL ^ 0xee;
        v2 = key0 ^ 0x6c7967656e657261L;
        v3 = key1 ^ 0x7465646279746573L;
    }

    void add(long word) {
        v3 ^= word;
        mix(ROUNDS_PER_WORD);
        v0 ^= word;
    }

    void add(String text) {
        int length = text.length();
        int at = 0;
        for (; at + CHARS_PER_WORD <= length; at += CHARS_PER_WORD) {
            add(text.charAt(at)
                    | (long) text.charAt(at + 1) << 16
                    | (long) text.charAt(at + 2) << 32
                    | (long) text.charAt(at + 3) << 48);
        }
        if (at < length) {
            long last = 0;
            for (int shift = 0; at < length; at++, shift += 16) {
                last |= (long) text.charAt(at) << shift;
            }
            add(last);
        }
    }

    /**
     * Ends the hash that was begun.
     *
     * @return the digest, which the next call changes; a lookup makes no object
     */
    Digest end() {
        v2 ^= 0xee;
        mix(ROUNDS_AT_END);
        digest.first = v0 ^ v1 ^ v2 ^ v3;
        v1 ^= 0xdd;
        mix(ROUNDS_AT_END);
        digest.second = v0 ^ v1 ^ v2 ^ v3;
        return digest;
    }

    private void mix(int rounds) {
        for (int round = 0; round < rounds; round++) {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }

    /** The 128 bits. */
    static final class Digest {
        long first;
        long second;

        /** One to keep. */
        Digest copy() {
            Digest copy = new Digest();
            copy.first = first;
            copy.second = second;
            return copy;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Digest its && first == its.first && second == its.second;
        }

        @Override
        public int hashCode() {
            return (int) second;
        }
    }
}
