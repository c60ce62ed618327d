package dev.limiter.internal.algorithm;

/**
 * Reads the reply of a script, packed as {@link Packed} packs, from the front. For one thread.
 */
public class PackedReader {
    private final byte[] packed;
    private int at;

    /**
     * Reads from the first byte.
     *
     * @param packed the reply
     */
    protected PackedReader(byte[] packed) {
        this.packed = packed;
    }

    /**
     * {@return whether the check fits: the first word of a report, behind the instant that
     * begins each}
     */
    public final boolean nextFits() {
        at += 8;
        return nextFlag();
    }

    /** {@return the next number} */
    public final long next() {
        long number = number(at);
        at += 8;
        return number;
    }

    /** {@return the next byte, as a flag} */
    public final boolean nextFlag() {
        return packed[at++] == 1;
    }

    /**
     * {@return the number at a place}
     *
     * @param from the index of its first byte
     */
    protected final long number(int from) {
        return (long) (double) Packed.NUMBERS.get(packed, from);
    }
}
