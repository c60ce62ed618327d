package dev.limiter.model;

/**
 * How far the clock moves before a step. Spans of results are known only when the history runs.
 */
public sealed interface Pause {

    /** A span known beforehand; below 0 the clock steps back. */
    record Fixed(long micros) implements Pause {}

    /**
     * A span of the last result, and a little more or less.
     *
     * @param figure which of its spans
     * @param answer which of the results, counted from the first, modulo their number
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
