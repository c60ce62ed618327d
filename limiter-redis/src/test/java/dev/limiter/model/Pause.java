package dev.limiter.model;

/**
 * How far the clock moves before a step. What was said is known only when the history is lived
 * through.
 */
public sealed interface Pause {

    /** A span known beforehand; below 0 the clock steps back. */
    record Fixed(long micros) implements Pause {}

    /**
     * What an answer of the last step that had any said, and a little more or less.
     *
     * @param figure which of its spans
     * @param answer which of the answers, counted from the first, and round if there are fewer
     * @param offsetMicros −1, 0 or 1: a hair early, just so, or a hair late
     */
    record Said(Figure figure, int answer, long offsetMicros) implements Pause {}

    /** The spans of an answer. */
    enum Figure {
        RUN,
        RETRY,
        NEXT,
        RESET
    }
}
