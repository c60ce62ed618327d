package dev.limiter.queue;

/**
 * The structure of Redis in which a {@link BoundedQueue} is kept. Both promise the same; in
 * memory there is no difference.
 */
public enum QueueStorage {
    /**
     * A stream with a consumer group. The tools of Redis show which consumer holds an entry, and
     * how often it was delivered.
     */
    STREAM,

    /**
     * A list, a hash and a sorted set. It needs fewer commands, and does not record which
     * consumer holds an entry.
     */
    LIST
}
