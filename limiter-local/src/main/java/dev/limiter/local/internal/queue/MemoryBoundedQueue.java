package dev.limiter.local.internal.queue;

import dev.limiter.BoundedQueue;
import dev.limiter.Delivery;
import dev.limiter.Offer;
import dev.limiter.QueueCensus;
import dev.limiter.QueuePolicy;
import dev.limiter.QueueState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/** A queue in memory: what is in it is gone with the process. The same answers as in Redis. */
public final class MemoryBoundedQueue implements BoundedQueue {
    private static final Pattern ID = Pattern.compile("[1-9]\\d{15}");
    private static final int MOST_AT_ONCE = 16;

    private final QueuePolicy policy;
    private final QueueEntries entries;
    private final LongSupplier nowMicros;

    public MemoryBoundedQueue(QueuePolicy policy, QueueEntries entries, LongSupplier nowMicros) {
        this.policy = policy;
        this.entries = entries;
        this.nowMicros = nowMicros;
    }

    @Override
    public QueuePolicy policy() {
        return policy;
    }

    @Override
    public Offer offer(String payload) {
        String kept = new String(policy.encoded(payload), StandardCharsets.UTF_8);
        synchronized (entries) {
            long now = nowMicros.getAsLong();
            long length = entries.length();
            return length >= policy.capacity()
                    ? Offer.Refused.of(length, policy.capacity(), entries.waiting.size(), entries.ageMicros(now))
                    : new Offer.Accepted(Long.toString(entries.add(now, kept)), length + 1);
        }
    }

    @Override
    public Optional<Delivery> take(String consumer) {
        Delivery.requireConsumer(consumer);
        synchronized (entries) {
            long now = nowMicros.getAsLong();
            entries.mendHolds(now, MOST_AT_ONCE);
            for (int i = 0; i < MOST_AT_ONCE && isOver(now); i++) {
                QueueEntries.Entry oldest = entries.held.pollFirst();
                if (oldest.deliveries < policy.deliveries()) {
                    return delivered(oldest, now);
                }
                QueueEntries.remember(entries.dead, oldest.number, policy.remembered());
            }
            return entries.waiting.isEmpty()
                    ? Optional.empty()
                    : delivered(entries.waiting.pollFirstEntry().getValue(), now);
        }
    }

    private boolean isOver(long now) {
        return !entries.held.isEmpty() && entries.held.first().sinceMicros <= now - policy.holdMicros();
    }

    private Optional<Delivery> delivered(QueueEntries.Entry entry, long now) {
        entries.deliver(entry, now);
        return Optional.of(new Delivery(Long.toString(entry.number), entry.payload, entry.deliveries));
    }

    @Override
    public boolean acknowledge(Delivery delivery) {
        synchronized (entries) {
            long number = number(delivery.id());
            boolean ended = entries.release(number);
            if (ended) {
                QueueEntries.remember(entries.done, number, policy.remembered());
            }
            return ended;
        }
    }

    @Override
    public QueueState state(String id) {
        synchronized (entries) {
            long number = number(id);
            if (entries.waiting.containsKey(number)) {
                return QueueState.WAITING;
            }
            if (entries.held.stream().anyMatch(entry -> entry.number == number)) {
                return QueueState.TAKEN;
            }
            if (entries.done.contains(number)) {
                return QueueState.DONE;
            }
            return entries.dead.contains(number) ? QueueState.DEAD : QueueState.UNKNOWN;
        }
    }

    /** That of no entry if it cannot be one. */
    private static long number(String id) {
        return ID.matcher(id).matches() ? Long.parseLong(id) : 0;
    }

    @Override
    public QueueCensus census() {
        synchronized (entries) {
            long age = entries.ageMicros(nowMicros.getAsLong());
            return new QueueCensus(
                    entries.waiting.size(),
                    entries.held.size(),
                    entries.dead.size(),
                    Duration.of(age, ChronoUnit.MICROS));
        }
    }

    @Override
    public String storeKey() {
        return policy.name();
    }
}
