package dev.limiter.internal.algorithm;

import java.util.List;

/**
 * The layouts of stored states. Each has one file in {@code lua/algorithm}. Scripts compare
 * names in this order, so the frequent ones come first.
 */
public enum StateKind {
    /**
     * The theoretical arrival time; with fractions of a microsecond, and of a limit that varies,
     * if the arguments say so.
     */
    GCRA("gcra", "gcra_parts", "gcra_varying"),
    /** One counter and its end. */
    FIXED_WINDOW("fixed_window"),
    /** The instants of units. */
    SLIDING_LOG("sliding_log"),
    /** Two counters and an end. */
    SLIDING_WINDOW("sliding_window"),
    /** Missing tokens and the instant of the last refill. */
    INTERVAL("interval"),
    /** The instant of opening. */
    GATE("gate"),
    /** A sorted set of leases. */
    CONCURRENCY("concurrency");

    /** All of them, as {@link #bit} says one. */
    public static final int ALL = (1 << values().length) - 1;

    private final List<String> words;
    private final byte[][] encoded;

    StateKind(String... words) {
        this.words = List.of(words);
        this.encoded = this.words.stream().map(Packed::of).toArray(byte[][]::new);
    }

    /** {@return the name of the file and of its functions} */
    public String title() {
        return words.get(0);
    }

    /**
     * {@return the names that arguments can call it by: the title, and variants of the
     * arguments}
     */
    public List<String> words() {
        return words;
    }

    /** A word as an argument; not to be changed. */
    byte[] word(int variant) {
        return encoded[variant];
    }

    /**
     * {@return this kind in a set of them: an int, for a call has one and joint calls unite
     * them}
     */
    public int bit() {
        return 1 << ordinal();
    }
}
