package dev.limiter.queue.model;

import dev.limiter.queue.QueuePolicy;

/** A call of a queue, after a pause. */
public sealed interface QueueStep {

    /** How far the clock moves before; below 0 it steps back. */
    long pauseMicros();

    /** The figures that the queue is called with. */
    QueuePolicy policy();

    /** Puts an entry in. */
    record OfferResult(long pauseMicros, QueuePolicy policy, String payload) implements QueueStep {}

    /** Takes an entry out. */
    record Take(long pauseMicros, QueuePolicy policy, String consumer) implements QueueStep {}

    /** Acknowledges an entry. */
    record Acknowledge(long pauseMicros, QueuePolicy policy, Id id) implements QueueStep {}

    /** Asks for the state of an entry. */
    record State(long pauseMicros, QueuePolicy policy, Id id) implements QueueStep {}

    /** Counts the entries. */
    record Stats(long pauseMicros, QueuePolicy policy) implements QueueStep {}

    /**
     * An id that is known only when the history runs.
     *
     * @param delivered true for an entry delivered so far, if there is any; otherwise an entry
     *     accepted so far, or one of four ids that were never given
     * @param latest 0 for the latest, 1 for the entry before it, and so on, modulo their number
     */
    record Id(boolean delivered, int latest) {}
}
