package dev.limiter.queue;

/** In which structure of Redis a {@link BoundedQueue} is kept. Both promise the same; in memory there is no difference. */
public enum QueueStorage {
    /** A stream with a consumer group, so that the tools of Redis show who holds what and how often it came. */
    STREAM,

    /** A list, a hash and a sorted set: a smaller vocabulary, and nothing known of who holds what. */
    LIST
}
