package dev.limiter.redis;

import dev.limiter.BoundedQueue;
import dev.limiter.Delivery;
import dev.limiter.Offer;
import dev.limiter.QueueCensus;
import dev.limiter.QueuePolicy;
import dev.limiter.QueueState;
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
    private static final QueueState[] STATES = {
        QueueState.WAITING, QueueState.TAKEN, QueueState.DONE, QueueState.DEAD, QueueState.UNKNOWN
    };

    private final QueuePolicy policy;
    private final List<byte[]> keys;
    private final ScriptRunner runner;
    private final StoreBorder border;
    private final QueueScripts scripts;

    /**
     * How long the next payload is expected to be, in bytes: as long as the one before if that was longer than expected, otherwise
     * halfway towards it. Threads may overwrite each other's: it is a guess.
     */
    private volatile int expectedBytes;

    /**
     * @param keys in the order of {@code lua/queue/keys.lua}
     */
    RedisBoundedQueue(QueuePolicy policy, List<byte[]> keys, ScriptRunner runner, StoreBorder border) {
        this.policy = policy;
        this.keys = keys;
        this.runner = runner;
        this.border = border;
        this.scripts = QueueScripts.of(policy.form());
        this.expectedBytes = policy.maxPayloadBytes();
    }

    @Override
    public QueuePolicy policy() {
        return policy;
    }

    @Override
    public Offer offer(String payload) {
        byte[] capacity = Argument.packed(policy.capacity());
        return ask(scripts.offer(), List.of(capacity, policy.encoded(payload)), reply -> {
            boolean accepted = reply.nextFits();
            long length = reply.next();
            return accepted
                    ? new Offer.Accepted(reply.nextName(), length)
                    : Offer.Refused.of(length, policy.capacity(), reply.next(), reply.next());
        });
    }

    @Override
    public Optional<Delivery> take(String consumer) {
        Delivery.requireConsumer(consumer);
        byte[] numbers = Argument.packed(policy.holdMicros(), policy.deliveries(), policy.remembered());
        List<byte[]> arguments = List.of(numbers, Argument.of(consumer));
        ReplyBytes replyBytes = new ReplyBytes(expectedBytes, policy.maxPayloadBytes());
        return ask(scripts.take(), arguments, replyBytes, reply -> {
            if (!reply.nextFits()) {
                return Optional.empty();
            }
            int count = (int) reply.next();
            String id = reply.nextName();
            expect(reply.bytesLeft());
            return Optional.of(new Delivery(id, reply.rest(), count));
        });
    }

    private void expect(int bytes) {
        int before = expectedBytes;
        expectedBytes = Math.min(policy.maxPayloadBytes(), Math.max(bytes, (before + bytes) / 2));
    }

    @Override
    public boolean acknowledge(Delivery delivery) {
        List<byte[]> arguments = List.of(Argument.packed(policy.remembered()), Argument.of(delivery.id()));
        return ask(scripts.acknowledge(), arguments, Reply::nextFits);
    }

    /** What no queue has named is not asked for: Redis refuses what cannot be an entry of a stream. */
    @Override
    public QueueState state(String id) {
        return ID.matcher(id).matches()
                ? ask(scripts.state(), List.of(Argument.of(id)), reply -> STATES[reply.nextChoice()])
                : QueueState.UNKNOWN;
    }

    @Override
    public QueueCensus census() {
        return ask(scripts.census(), List.of(), reply -> {
            reply.nextFits();
            return new QueueCensus(
                    reply.next(), reply.next(), reply.next(), Duration.of(reply.next(), ChronoUnit.MICROS));
        });
    }

    @Override
    public String storeKey() {
        return new String(keys.get(0), StandardCharsets.US_ASCII);
    }

    private <T> T ask(Script script, List<byte[]> arguments, Function<Reply, T> reading) {
        return ask(script, arguments, ReplyBytes.FEW, reading);
    }

    private <T> T ask(Script script, List<byte[]> arguments, ReplyBytes replyBytes, Function<Reply, T> reading) {
        return border.answered(
                "answer", () -> reading.apply(Reply.of(runner.run(script, keys, arguments, replyBytes))));
    }
}
