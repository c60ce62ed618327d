package dev.limiter.spi;

import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Receives events and figures of a limiter, for metrics, events and health. No signal contains the
 * value of a key.
 *
 * <p>Signals come on the threads of requests, so a listener must return quickly and throw nothing.
 */
public interface Signals {

    /** Ignores all signals. */
    Signals NONE = new Signals() {};

    /** Events that are counted. */
    enum Incident {
        /**
         * The store did not know the script of a decision, and was asked again with its text. Each
         * caller that shares the call reports it.
         */
        SCRIPT_MISSING,
        /**
         * A {@link CredentialsSource} gave no usable credentials, or the store refused them. The
         * last credentials stay in force.
         */
        CREDENTIALS_FAILURES,
        /** The store's clock has stepped against the clock of this process, or stands still. */
        CLOCK_STEPPED,
        /**
         * A lease had expired when it was given back, so its holder was not counted to the end. It
         * is reported once for each such lease.
         */
        LEASES_EXPIRED
    }

    /**
     * An event happened that is counted.
     *
     * @param incident which one
     */
    default void happened(Incident incident) {}

    /**
     * A group was decided, by the store or by the fallback.
     *
     * @param decision the decision
     * @param nanos how long the caller has waited for it
     */
    default void decided(Decision decision, long nanos) {}

    /**
     * A group could not be decided, because the store failed and one of its policies is
     * {@code CLOSED}.
     *
     * @param group the checks
     * @param nanos how long the caller has waited
     */
    default void undecided(CheckGroup group, long nanos) {}

    /**
     * A call of the store failed.
     *
     * @param error why
     * @param mayHaveRun whether it may have been executed all the same; then at most its cost was
     *     taken for nothing
     */
    default void storeFailed(StoreError error, boolean mayHaveRun) {}

    /**
     * A call of the store was sent.
     *
     * @param nanos how long it waited to be sent; next to nothing if no other call is under way
     */
    default void connected(long nanos) {}

    /**
     * A node of the store was found at the start, which is the first signal of that node. The
     * first signal of a node that is found later is that of its breaker.
     *
     * @param node host and port, as {@link #breaker} has them
     */
    default void node(String node) {}

    /**
     * The breaker of a node of the store has opened or closed.
     *
     * @param node host and port, or the name of the store if it has a single node
     * @param open whether the node was given up
     * @param reason if it opened, the last failure, in words and without credentials; if it
     *     closed, empty if the node answers again, otherwise why it is not asked any more, such as
     *     a dead master whose replica was promoted
     */
    default void breaker(String node, boolean open, String reason) {}

    /**
     * Passes the number of partitions that the fallback holds, once. A listener may ask it at any
     * time.
     *
     * @param partitions may be called by any thread
     */
    default void fallbackPartitions(LongSupplier partitions) {}

    /**
     * An extension has a figure for a gauge. For equal name, tag and value, the figure that was
     * passed last counts.
     *
     * @param name of the gauge, such as {@code limiter.queue.length}; at most 1,000 values of its
     *     tag have a gauge
     * @param tag the name of its only tag
     * @param value of the tag
     * @param figure may be called by any thread; {@code NaN} if there is no number
     */
    default void gauge(String name, String tag, String value, DoubleSupplier figure) {}
}
