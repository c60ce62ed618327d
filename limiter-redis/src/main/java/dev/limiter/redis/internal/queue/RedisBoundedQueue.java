package dev.limiter.redis.internal.queue;

import dev.limiter.BoundedQueue;
import dev.limiter.Delivery;
import dev.limiter.Offer;
import dev.limiter.QueueCensus;
import dev.limiter.QueuePolicy;
import dev.limiter.QueueState;
import dev.limiter.StoreUnavailableException;
import dev.limiter.redis.internal.limiter.ScriptRunner;
import dev.limiter.redis.internal.limiter.StoreBorder;
import dev.limiter.redis.internal.script.Packed;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ReplyBytes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** A queue in Redis: one script, and one round trip, for each call. */
public final class RedisBoundedQueue implements BoundedQueue {
    private static final Pattern ID = Pattern.compile("[1-9]\\d{15}");
    private static final QueueState[] STATES = {
        QueueState.WAITING, QueueState.TAKEN, QueueState.DONE, QueueState.DEAD, QueueState.UNKNOWN
    };

    private final QueuePolicy policy;
    private final List<byte[]> keys;
    private final ScriptRunner runner;
    private final StoreBorder border;
    private final QueuePrograms scripts;

    /** A payload is expected to be this part of the longest one that is permitted, or longer: so one round trip has a bound. */
    private static final int LEAST_PART = 4;

    /** Each shorter payload takes this part from what is expected: a burst of long ones may follow some short ones. */
    private static final int FORGETTING = 256;

    /**
     * How long the next payload is expected to be, in bytes: as long as the longest of some hundred payloads before, about. Threads may
     * overwrite each other's: it is a guess.
     */
    private volatile int expectedBytes;

    /**
     * @param keys in the order of {@code lua/queue/keys.lua}
     */
    public RedisBoundedQueue(QueuePolicy policy, List<byte[]> keys, ScriptRunner runner, StoreBorder border) {
        this.policy = policy;
        this.keys = keys;
        this.runner = runner;
        this.border = border;
        this.scripts = QueuePrograms.of(policy.form());
        this.expectedBytes = policy.maxPayloadBytes();
    }

    @Override
    public QueuePolicy policy() {
        return policy;
    }

    @Override
    public Offer offer(String payload) {
        byte[] capacity = Packed.packed(policy.capacity());
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
        byte[] numbers = Packed.packed(policy.holdMicros(), policy.deliveries(), policy.remembered());
        List<byte[]> arguments = List.of(numbers, Packed.of(consumer));
        int most = policy.maxPayloadBytes();
        ReplyBytes replyBytes = new ReplyBytes(Math.max(expectedBytes, most / LEAST_PART), most);
        try {
            return ask(scripts.take(), arguments, replyBytes, reply -> {
                if (!reply.nextFits()) {
                    return Optional.empty();
                }
                int count = (int) reply.next();
                String id = reply.nextName();
                expect(reply.bytesLeft());
                return Optional.of(new Delivery(id, reply.rest(), count));
            });
        } catch (StoreUnavailableException unanswered) {
            expectedBytes = most; // the payloads may have become too long for so many in one round trip
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
        List<byte[]> arguments = List.of(Packed.packed(policy.remembered()), Packed.of(delivery.id()));
        return ask(scripts.acknowledge(), arguments, Reply::nextFits);
    }

    /** What no queue has named is not asked for: Redis refuses what cannot be an entry of a stream. */
    @Override
    public QueueState state(String id) {
        return ID.matcher(id).matches()
                ? ask(scripts.state(), List.of(Packed.of(id)), reply -> STATES[reply.nextChoice()])
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

    private <T> T ask(Program script, List<byte[]> arguments, Function<Reply, T> reading) {
        return ask(script, arguments, ReplyBytes.FEW, reading);
    }

    private <T> T ask(Program script, List<byte[]> arguments, ReplyBytes replyBytes, Function<Reply, T> reading) {
        return border.answered(
                "answer", () -> reading.apply(Reply.of(runner.run(script, keys, arguments, replyBytes))));
    }
}
