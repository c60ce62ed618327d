package dev.limiter;

/** How the tokens of a {@link Algorithm#TOKEN_BUCKET} come back. */
public enum Refill {
    /** A single token every {@code window / limit}: the decisions of {@link Algorithm#GCRA}. */
    SMOOTH,

    /**
     * {@code limit} tokens together, each time a window has passed since the first token was
     * taken from a full bucket. A bucket that is full has no phase. No token comes in until a
     * request takes a token again.
     */
    INTERVAL
}
