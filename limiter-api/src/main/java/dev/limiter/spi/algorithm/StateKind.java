package dev.limiter.spi.algorithm;

/** The layouts of stored states, in the order in which programs are joined. Each has one file in {@code lua/algorithm}. */
public enum StateKind {
    /** A sorted set of leases. */
    CONCURRENCY("concurrency"),
    /** One counter and its end. */
    FIXED_WINDOW("fixed_window"),
    /** The instant of opening. */
    GATE("gate"),
    /** The theoretical arrival time. */
    GCRA("gcra"),
    /** Missing tokens and the instant of the last refill. */
    INTERVAL("interval"),
    /** The instants of units. */
    SLIDING_LOG("sliding_log"),
    /** Two counters and an end. */
    SLIDING_WINDOW("sliding_window");

    /** All of them, as {@link #bit} says one. */
    public static final int ALL = (1 << values().length) - 1;

    private final String title;
    private final byte[] word;

    StateKind(String title) {
        this.title = title;
        this.word = Packed.of(title);
    }

    /** {@return what the file and its functions are called by} */
    public String title() {
        return title;
    }

    /** The title as an argument; not to be changed. */
    byte[] word() {
        return word;
    }

    /** {@return this kind in a set of them: an int, for a call has one and joint calls unite them} */
    public int bit() {
        return 1 << ordinal();
    }
}
