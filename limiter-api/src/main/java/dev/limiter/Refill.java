package dev.limiter;

/** How the tokens of a {@link Algorithm#TOKEN_BUCKET} come back. */
public enum Refill {
    /**
     * One token comes every {@code window / limit}. This decides as {@link Algorithm#GCRA} does.
     */
    SMOOTH,

    /**
     * {@code limit} tokens come together at the end of each window. The first window begins when a
     * token is taken from a full bucket. Once the bucket is full again, the next window begins
     * with the next token that is taken.
     */
    INTERVAL
}
