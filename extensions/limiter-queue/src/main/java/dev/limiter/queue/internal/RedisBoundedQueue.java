package dev.limiter.queue.internal;

import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.store.ScriptStore;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.EntryState;
import dev.limiter.queue.OfferResult;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStats;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** A queue in Redis: one script, and one round trip, for each call. */
final class RedisBoundedQueue implements BoundedQueue {
    private static final Pattern ID = Pattern.compile("[1-9]\\d{15}");
    private static final EntryState[] STATES = {
        EntryState.WAITING, EntryState.TAKEN, EntryState.DONE, EntryState.DEAD, EntryState.UNKNOWN
    };

    private final QueuePolicy policy;
    private final List<byte[]> keys;
    private final ScriptStore store;
    private final QueuePrograms scripts;

    /**
     * A payload is expected to be at least this part of the longest permitted payload, so that a
     * round trip has a bound.
     */
    private static final int LEAST_PART = 4;

    /**
     * Each shorter payload lowers the expected length by this part only, because a burst of long
     * payloads may follow some short ones.
     */
    private static final int FORGETTING = 256;

    /**
     * The expected length of the next payload, in bytes: about the longest of some hundred
     * payloads before. Threads may overwrite each other's value: it is an estimate.
     */
    private volatile int expectedBytes;

    /**
     * @param keys in the order of {@code lua/queue/keys.lua}
     */
    RedisBoundedQueue(QueuePolicy policy, List<byte[]> keys, ScriptStore store) {
        this.policy = policy;
        this.keys = keys;
        this.store = store;
        this.scripts = QueuePrograms.of(policy.form());
        this.expectedBytes = policy.maxPayloadBytes();
    }

    @Override
    public QueuePolicy policy() {
        return policy;
    }

    @Override
    public OfferResult offer(String payload) {
        byte[] capacity = packed(policy.capacity());
        return ask(scripts.offer(), List.of(capacity, policy.encoded(payload)), reply -> {
            boolean accepted = isTrue(reply);
            long length = number(reply);
            return accepted
                    ? new OfferResult.Accepted(name(reply), length)
                    : OfferResult.Full.of(length, policy.capacity(), number(reply), number(reply));
        });
    }

    @Override
    public Optional<Delivery> take(String consumer) {
        Delivery.requireConsumer(consumer);
        byte[] numbers = packed(policy.holdMicros(), policy.deliveries(), policy.remembered());
        List<byte[]> arguments = List.of(numbers, ascii(consumer));
        int most = policy.maxPayloadBytes();
        int expected = Math.max(expectedBytes, most / LEAST_PART);
        try {
            return store.run(scripts.take(), keys, arguments, expected, most, reply -> {
                if (!isTrue(reply)) {
                    return Optional.empty();
                }
                int count = (int) number(reply);
                String id = name(reply);
                expect(reply.remaining());
                return Optional.of(new Delivery(id, text(reply), count));
            });
        } catch (StoreUnavailableException unanswered) {
            expectedBytes = most; // the payloads may have become too long for this many in a round trip
            throw unanswered;
        }
    }

    private void expect(int bytes) {
        int before = expectedBytes;
        int after = bytes >= before ? bytes : before - Math.max(1, (before - bytes) / FORGETTING);
        expectedBytes = Math.min(policy.maxPayloadBytes(), after);
    }

    @Override
    public boolean acknowledge(Delivery delivery) {
        List<byte[]> arguments = List.of(packed(policy.remembered()), ascii(delivery.id()));
        return ask(scripts.acknowledge(), arguments, RedisBoundedQueue::isTrue);
    }

    /**
     * Does not ask for malformed ids: Redis refuses an id that no entry of a stream can have.
     */
    @Override
    public EntryState state(String id) {
        return ID.matcher(id).matches()
                ? ask(scripts.state(), List.of(ascii(id)), reply -> STATES[reply.get()])
                : EntryState.UNKNOWN;
    }

    @Override
    public QueueStats stats() {
        return ask(scripts.stats(), List.of(), reply -> {
            isTrue(reply);
            return new QueueStats(
                    number(reply), number(reply), number(reply), Duration.of(number(reply), ChronoUnit.MICROS));
        });
    }

    @Override
    public String storeKey() {
        return new String(keys.get(0), StandardCharsets.US_ASCII);
    }

    private <T> T ask(String script, List<byte[]> arguments, Function<ByteBuffer, T> reader) {
        return store.run(script, keys, arguments, 0, 0, reader);
    }

    private static boolean isTrue(ByteBuffer reply) {
        return reply.get() == 1;
    }

    private static long number(ByteBuffer reply) {
        return (long) reply.getDouble();
    }

    /** Reads a text behind a byte with its length. */
    private static String name(ByteBuffer reply) {
        byte[] name = new byte[reply.get()];
        reply.get(name);
        return new String(name, StandardCharsets.US_ASCII);
    }

    /** Reads the rest as text. */
    private static String text(ByteBuffer reply) {
        byte[] text = new byte[reply.remaining()];
        reply.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Packs numbers as the scripts unpack them: {@code '>d'} each. */
    private static byte[] packed(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * numbers.length);
        for (long number : numbers) {
            bytes.putDouble(number);
        }
        return bytes.array();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
