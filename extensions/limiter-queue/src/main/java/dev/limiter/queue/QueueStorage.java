package dev.limiter.queue;

/**
 * How Redis keeps a {@link BoundedQueue}. Both forms promise the same, and in memory there is no
 * difference.
 */
public enum QueueStorage {
    /**
     * A stream with a consumer group. The tools of Redis show which consumer holds an entry, and
     * how often it was delivered.
     */
    STREAM,

    /**
     * A list, a hash and a sorted set. It needs fewer commands, but does not record which consumer
     * holds an entry.
     */
    LIST
}
