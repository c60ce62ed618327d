package dev.limiter.queue;

/** The state of an entry of a {@link BoundedQueue}. */
public enum EntryState {
    /** No consumer has taken it yet. */
    WAITING,

    /**
     * A consumer holds it, or held it until it died. Once its time is over, the next take delivers
     * it.
     */
    TAKEN,

    /** It was acknowledged. */
    DONE,

    /** It was delivered as often as allowed, and never acknowledged. */
    DEAD,

    /**
     * There was no such entry, or it left the queue so long ago that it is no longer
     * {@linkplain QueuePolicy#remembered remembered}.
     */
    UNKNOWN
}
