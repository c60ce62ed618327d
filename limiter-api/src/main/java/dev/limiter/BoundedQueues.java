package dev.limiter;

/** Where an application gets its queues from: {@code @Inject BoundedQueues}, or {@link RateLimiter#queues} where there is no CDI. */
@FunctionalInterface
public interface BoundedQueues {

    /**
     * {@return the queue of a name and form, with these numbers} Every process that asks the same store under the same application name
     * gets the same queue; numbers may differ, and each call goes by its own. Making it does not call the store.
     *
     * @param policy its name, its form and its numbers
     */
    BoundedQueue queue(QueuePolicy policy);
}
