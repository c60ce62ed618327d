package dev.limiter.queue;

/** The state of an entry of a {@link BoundedQueue}. */
public enum EntryState {
    /** No consumer has taken it so far. */
    WAITING,

    /**
     * A consumer holds it, or held it until it died. Then the next take delivers it when its
     * time is over.
     */
    TAKEN,

    /** It was acknowledged. */
    DONE,

    /** It was delivered as often as permitted, and never acknowledged. */
    DEAD,

    /**
     * There was no such entry, or it left the queue before those that are
     * {@linkplain QueuePolicy#remembered remembered}.
     */
    UNKNOWN
}
