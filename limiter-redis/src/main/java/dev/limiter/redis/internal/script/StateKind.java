package dev.limiter.redis.internal.script;

/** The files of {@code lua/algorithm}, in the order in which programs are joined. */
public enum StateKind {
    CONCURRENCY("concurrency"),
    FIXED_WINDOW("fixed_window"),
    GATE("gate"),
    GCRA("gcra"),
    INTERVAL("interval"),
    SLIDING_LOG("sliding_log"),
    SLIDING_WINDOW("sliding_window");

    /** All of them, as {@link #bit} says one. */
    public static final int ALL = (1 << values().length) - 1;

    private final String title;

    StateKind(String title) {
        this.title = title;
    }

    /** What the file and its functions are called by. */
    String title() {
        return title;
    }

    /** This file in a set of them: an int, for a question has one and joint calls unite them. */
    public int bit() {
        return 1 << ordinal();
    }
}
