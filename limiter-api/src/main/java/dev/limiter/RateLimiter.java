package dev.limiter;

/**
 * Decides, exactly and all or nothing, whether a request may pass. Safe for use by many threads.
 *
 * <pre>{@code
 * Policy mails = Policy.of("mails", SLIDING_LOG, 100, Duration.ofHours(1));
 * Decision decision = limiter.acquire(mails, PartitionKey.of("tenant", tenant));
 * if (decision instanceof Decision.Rejected rejected) {
 *     requeue(mail, rejected.retryAfter());
 * }
 * }</pre>
 */
public interface RateLimiter extends AutoCloseable {

    /**
     * Decides all demands of a group at one instant: either every one is charged, or none.
     *
     * @throws StoreUnavailableException if the store that holds the counts did not decide in time
     */
    Decision acquire(Group group);

    /**
     * Asks one policy for one unit.
     *
     * @throws StoreUnavailableException if the store that holds the counts did not decide in time
     */
    default Decision acquire(Policy policy, PartitionKey key) {
        return acquire(Group.of(Demand.of(policy, key)));
    }

    /** Gives back connections and memory. Closing twice does nothing. */
    @Override
    void close();
}
