package dev.limiter.queue;

import dev.limiter.StoreUnavailableException;
import java.util.Optional;

/**
 * Admission by the length of a queue: its consumers decide how fast other callers may fill it. A
 * request-coupled leaking bucket. Safe for use by many threads and, in Redis, by many processes.
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
 * <p>The capacity bounds the entries that are not acknowledged, waiting or taken: a consumer
 * makes room by finishing, not by taking. It comes with each offer, so a lowered capacity is in
 * force at once. No entry is lost then: until the length is below it, no offer is accepted.
 * Every entry is delivered at least once, and acknowledged once. An entry that a consumer does
 * not acknowledge within {@link QueuePolicy#hold} is delivered again,
 * {@link QueuePolicy#deliveries} times at most.
 *
 * <p>All methods throw {@link StoreUnavailableException} if the store gives no answer in time;
 * no call is sent again. The call may have been executed nevertheless: an offer may wait, an
 * entry may be held until its time is over, an acknowledgement may be done. A consumer that is
 * in doubt acknowledges again.
 */
public interface BoundedQueue {

    /** {@return its name and bounds} */
    QueuePolicy policy();

    /**
     * Puts a payload behind all others, unless the queue is full.
     *
     * @param payload any text, from 0 to {@link QueuePolicy#maxPayloadBytes} bytes of UTF-8
     * @return accepted with the entry's id, or full with the time to come again
     * @throws IllegalArgumentException if the payload is longer than
     *     {@link QueuePolicy#maxPayloadBytes}, or no text
     */
    OfferResult offer(String payload);

    /**
     * Puts a payload behind all others.
     *
     * @param payload as {@link #offer}
     * @return the entry that waits now
     * @throws QueueFullException if the queue is full, which a client is answered 429 with
     *     {@code Retry-After}
     * @throws IllegalArgumentException as {@link #offer}
     */
    default OfferResult.Accepted accept(String payload) {
        OfferResult offer = offer(payload);
        if (offer instanceof OfferResult.Full refused) {
            throw new QueueFullException(policy().name(), refused);
        }
        return (OfferResult.Accepted) offer;
    }

    /**
     * Takes the entry that a consumer has held too long, else the entry that has waited longest.
     * It does not wait for an entry.
     *
     * @param consumer the holder that Redis shows, such as the name of the process; see
     *     {@link Delivery#requireConsumer}
     * @return the entry, held for {@link QueuePolicy#hold} from now; empty if there is none to
     *     take
     */
    Optional<Delivery> take(String consumer);

    /**
     * Ends an entry: it leaves the queue, and is remembered as done. It need not be held by the
     * caller: of several consumers to which it was delivered, the first one acknowledges it.
     *
     * @param delivery from {@link #take}, of any consumer
     * @return whether this ended it; not if it was acknowledged before, or is dead
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
     * {@return the name under which the store keeps the queue, such as the key in Redis; all its
     * keys begin with it}
     */
    String storeKey();
}
