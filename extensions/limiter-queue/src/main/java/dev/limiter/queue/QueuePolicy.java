package dev.limiter.queue;

import dev.limiter.InvalidPolicyException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The name and the bounds of one {@link BoundedQueue}. Name and form identify the queue. The other
 * members come with each call, and may differ between processes.
 *
 * <p>{@code QueuePolicy.of("orders", 10).withHold(Duration.ofSeconds(30))} allows 10 orders that
 * are not done; a consumer that does not acknowledge within 30 s loses its order to the next.
 *
 * @param name printable ASCII without quote or backslash, 1 to 100 characters
 * @param form how Redis keeps it
 * @param capacity the most entries that wait or are taken; {@code 1 <= capacity <= 1,000,000}
 * @param hold how long a consumer has to acknowledge before the entry goes to the next; whole
 *     microseconds from 1 ms to 366 days, longer than the work takes
 * @param deliveries how often an entry is delivered before it is dead;
 *     {@code 1 <= deliveries <= 1,000}
 * @param remembered how many entries that have left are remembered, done and dead each; Redis
 *     keeps the payloads of the dead, memory does not; {@code 1 <= remembered <= 100,000}
 * @param maxPayloadBytes the longest payload, in bytes of UTF-8; from 1 to 1,048,576
 */
public record QueuePolicy(
        String name,
        QueueStorage form,
        long capacity,
        Duration hold,
        int deliveries,
        int remembered,
        int maxPayloadBytes) {

    /** The largest capacity. */
    public static final long MAX_CAPACITY = 1_000_000;

    /** The most deliveries of an entry. */
    public static final int MAX_DELIVERIES = 1_000;

    /** The most entries that are remembered after they have left. */
    public static final int MAX_REMEMBERED = 100_000;

    /** The longest payload that a queue can allow, in bytes. */
    public static final int MAX_PAYLOAD_BYTES = 1 << 20;

    private static final Duration DEFAULT_HOLD = Duration.ofMinutes(1);
    private static final int DEFAULT_DELIVERIES = 5;
    private static final int DEFAULT_REMEMBERED = 1_000;
    private static final int DEFAULT_PAYLOAD_BYTES = 1 << 16;

    /**
     * Refuses members that break a rule.
     *
     * @param name as in the record
     * @param form as in the record
     * @param capacity as in the record
     * @param hold as in the record
     * @param deliveries as in the record
     * @param remembered as in the record
     * @param maxPayloadBytes as in the record
     * @throws InvalidPolicyException naming the member, the value and the rule it breaks
     */
    public QueuePolicy {
        QueueValidation.requireName(name);
        QueueValidation.requirePresent("form", form);
        QueueValidation.requireWithin("capacity", capacity, MAX_CAPACITY);
        QueueValidation.requireHold(hold);
        QueueValidation.requireWithin("deliveries", deliveries, MAX_DELIVERIES);
        QueueValidation.requireWithin("remembered", remembered, MAX_REMEMBERED);
        QueueValidation.requireWithin("maxPayloadBytes", maxPayloadBytes, MAX_PAYLOAD_BYTES);
    }

    /**
     * {@return a queue kept as a stream, with a hold of a minute, 5 deliveries, 1,000 remembered
     * entries and payloads of up to 65,536 bytes}
     *
     * @param name identifies the queue
     * @param capacity the most entries that wait or are taken; from 1 to 1,000,000
     */
    public static QueuePolicy of(String name, long capacity) {
        return new QueuePolicy(
                name,
                QueueStorage.STREAM,
                capacity,
                DEFAULT_HOLD,
                DEFAULT_DELIVERIES,
                DEFAULT_REMEMBERED,
                DEFAULT_PAYLOAD_BYTES);
    }

    /**
     * {@return the queue of this name in another form, which is another queue}
     *
     * @param other how Redis keeps it
     */
    public QueuePolicy in(QueueStorage other) {
        return new QueuePolicy(name, other, capacity, hold, deliveries, remembered, maxPayloadBytes);
    }

    /**
     * {@return the same queue with another capacity}
     *
     * @param entries the most that wait or are taken; from 1 to 1,000,000
     */
    public QueuePolicy withCapacity(long entries) {
        return new QueuePolicy(name, form, entries, hold, deliveries, remembered, maxPayloadBytes);
    }

    /**
     * {@return the same queue with another time to acknowledge}
     *
     * @param span whole microseconds from 1 ms to 366 days, longer than the work takes
     */
    public QueuePolicy withHold(Duration span) {
        return new QueuePolicy(name, form, capacity, span, deliveries, remembered, maxPayloadBytes);
    }

    /**
     * {@return the same queue with another number of deliveries}
     *
     * @param times how often an entry is delivered before it is dead; from 1 to 1,000
     */
    public QueuePolicy withDeliveries(int times) {
        return new QueuePolicy(name, form, capacity, hold, times, remembered, maxPayloadBytes);
    }

    /**
     * {@return the same queue with another number of remembered entries}
     *
     * @param entries how many are remembered after they have left, done and dead each; from 1 to
     *     100,000
     */
    public QueuePolicy remembering(int entries) {
        return new QueuePolicy(name, form, capacity, hold, deliveries, entries, maxPayloadBytes);
    }

    /**
     * {@return the same queue with another longest payload}
     *
     * @param bytes the longest, in UTF-8; from 1 to 1,048,576
     */
    public QueuePolicy withPayloadsUpTo(int bytes) {
        return new QueuePolicy(name, form, capacity, hold, deliveries, remembered, bytes);
    }

    /** {@return {@link #hold} in microseconds, the unit of all arithmetic} */
    public long holdMicros() {
        return TimeUnit.MICROSECONDS.convert(hold);
    }

    /**
     * {@return a payload in UTF-8, as it is kept}
     *
     * @param payload from 0 to {@link #maxPayloadBytes} bytes, when encoded
     * @throws IllegalArgumentException if it is too long, or contains half a surrogate pair
     */
    public byte[] encoded(String payload) {
        if (payload.length() <= maxPayloadBytes) {
            try {
                ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(payload));
                if (bytes.remaining() <= maxPayloadBytes) {
                    byte[] all = new byte[bytes.remaining()];
                    bytes.get(all);
                    return all;
                }
            } catch (CharacterCodingException unpaired) {
                throw new IllegalArgumentException("payload must be text, but holds half a surrogate pair", unpaired);
            }
        }
        throw new IllegalArgumentException("payload must have at most " + maxPayloadBytes + " bytes of UTF-8");
    }
}
