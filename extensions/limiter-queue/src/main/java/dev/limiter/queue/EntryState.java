package dev.limiter.queue;

/** What has become of an entry of a {@link BoundedQueue}. */
public enum EntryState {
    /** No consumer has taken it so far. */
    WAITING,

    /** A consumer holds it, or held it until it died: then the next one takes it when its time is over. */
    TAKEN,

    /** It was acknowledged. */
    DONE,

    /** It was delivered as often as may be, and never acknowledged. */
    DEAD,

    /** There was no such entry, or it left the queue before those that are {@linkplain QueuePolicy#remembered remembered}. */
    UNKNOWN
}
