package dev.limiter;

/**
 * How requests are counted: each constant is the data sheet of one algorithm.
 *
 * <p>Notation: {@code L} limit, {@code W} window, {@code B} burst, {@code T = W / L}. "Any window" is any half-open
 * interval of length {@code W}, wherever it begins.
 */
public enum Algorithm {
    /**
     * A counter per window. Admits at most {@code L} in each window, and so at most {@code 2L} in any window: all of
     * one window at its end, all of the next at its beginning. Windows of different keys begin at different instants, so
     * that not everybody's quota returns at once.
     *
     * <p>State: one number. Source: the counter of "Rate Limiting in Rust Using Redis" (fixed window).
     */
    FIXED_WINDOW,

    /**
     * A log of the admitted units. Admits at most {@code L} in <em>any</em> window. {@code L} is at most 1,000,000, and
     * one request costs at most 1,000.
     *
     * <p>State: about 10 bytes for each admitted unit. Source: the sliding log of "Rate Limiting in Rust Using Redis",
     * kept as a ring in a list instead of a sorted set.
     */
    SLIDING_LOG,

    /**
     * A bucket of {@code B} tokens into which one drips every {@code T}. Decides exactly as {@link #GCRA}; the other
     * name for those who think in tokens. Admits at most {@code B + L - 1} in any window.
     */
    TOKEN_BUCKET,

    /**
     * The generic cell rate algorithm: one request every {@code T} on average, up to {@code B} back to back. Admits at
     * most {@code B + L - 1} in any window.
     *
     * <p>State: one instant. Source: ITU-T I.371, virtual scheduling.
     */
    GCRA,

    /**
     * A gate: two admitted units are at least {@code T} apart, with no burst; {@link #GCRA} with {@code B = 1}. Admits
     * at most {@code L} in any window.
     */
    UNIFORM;

    /** Whether {@code burst} has a meaning here: how many may pass back to back, independent of {@code limit}. */
    public boolean hasBurst() {
        return switch (this) {
            case TOKEN_BUCKET, GCRA -> true;
            case FIXED_WINDOW, SLIDING_LOG, UNIFORM -> false;
        };
    }

    /** Whether quota comes back continuously, one unit every {@code T}, rather than with the end of a window. */
    public boolean drips() {
        return switch (this) {
            case TOKEN_BUCKET, GCRA, UNIFORM -> true;
            case FIXED_WINDOW, SLIDING_LOG -> false;
        };
    }
}
