package dev.limiter.queue;

import dev.limiter.StoreUnavailableException;
import java.util.Optional;

/**
 * A queue that accepts entries until it is full, so that its consumers decide how fast others may
 * fill it. Many threads can use it at once and, in Redis, many processes. It is a request-coupled
 * leaking bucket.
 *
 * <pre>{@code
 * BoundedQueue orders = BoundedQueues.of(limiter).queue(QueuePolicy.of("orders", 10));
 *
 * String id = orders.accept("fish for Ada").id();   // or throws, and the client is answered 429
 *
 * orders.take("keeper-1").ifPresent(order -> {      // another process
 *     feed(order.payload());
 *     orders.acknowledge(order);
 * });
 * }</pre>
 *
 * <p>The capacity bounds the entries that are not acknowledged, whether they wait or are taken: a
 * consumer makes room by finishing, not by taking. Every entry is delivered at least once, and
 * acknowledged once. If a consumer does not acknowledge it within {@link QueuePolicy#hold}, it is
 * delivered again, {@link QueuePolicy#deliveries} times at most. The capacity comes with each
 * offer, so a lower one is in force at once: no entry is lost, and none accepted until the length
 * is below it.
 *
 * <p>All methods throw {@link StoreUnavailableException} if the store gives no answer in time, and
 * no call is sent again. The call may have been executed nevertheless: an offer may wait, an entry
 * may be held until its time is over, an acknowledgement may be done. A consumer that is in doubt
 * should acknowledge again.
 */
public interface BoundedQueue {

    /** {@return the name and the bounds} */
    QueuePolicy policy();

    /**
     * Puts a payload at the end of the queue, unless it is full.
     *
     * @param payload any text, from 0 to {@link QueuePolicy#maxPayloadBytes} bytes of UTF-8
     * @return accepted with the entry's id, or full with the time to come again
     * @throws IllegalArgumentException if the payload is longer, or no text
     */
    OfferResult offer(String payload);

    /**
     * Puts a payload at the end of the queue, or throws if it is full.
     *
     * @param payload as for {@link #offer}
     * @return the entry that waits now
     * @throws QueueFullException if the queue is full; the client then gets a 429 with
     *     {@code Retry-After}
     * @throws IllegalArgumentException as for {@link #offer}
     */
    default OfferResult.Accepted accept(String payload) {
        OfferResult offer = offer(payload);
        if (offer instanceof OfferResult.Full refused) {
            throw new QueueFullException(policy().name(), refused);
        }
        return (OfferResult.Accepted) offer;
    }

    /**
     * Takes an entry that a consumer has held too long, or else the one that has waited longest.
     * It does not wait for an entry.
     *
     * @param consumer the holder that Redis shows, such as the name of the process; see
     *     {@link Delivery#requireConsumer}
     * @return the entry, held for {@link QueuePolicy#hold} from now; empty if there is none to
     *     take
     */
    Optional<Delivery> take(String consumer);

    /**
     * Ends an entry: it leaves the queue, and is remembered as done. The caller need not hold it
     * any more: if it was delivered to several consumers, the first acknowledgement ends it.
     *
     * @param delivery from {@link #take}, of any consumer
     * @return whether this call ended it; false if it was acknowledged before, or is dead
     */
    boolean acknowledge(Delivery delivery);

    /**
     * {@return the state of an entry}
     *
     * @param id from {@link OfferResult.Accepted#id} or {@link Delivery#id}
     */
    EntryState state(String id);

    /** {@return how full it is now} */
    QueueStats stats();

    /**
     * {@return the name under which the store keeps the queue, such as the key in Redis} All its
     * keys begin with it.
     */
    String storeKey();
}
