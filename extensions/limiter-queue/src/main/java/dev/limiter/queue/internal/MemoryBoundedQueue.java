package dev.limiter.queue.internal;

import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.EntryState;
import dev.limiter.queue.OfferResult;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStats;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/** A queue in memory, with the same results as in Redis. Its entries end with the process. */
final class MemoryBoundedQueue implements BoundedQueue {
    private static final Pattern ID = Pattern.compile("[1-9]\\d{15}");
    private static final int MOST_AT_ONCE = 16;

    private final QueuePolicy policy;
    private final QueueEntries entries;
    private final InstantSource clock;

    MemoryBoundedQueue(QueuePolicy policy, QueueEntries entries, InstantSource clock) {
        this.policy = policy;
        this.entries = entries;
        this.clock = clock;
    }

    @Override
    public QueuePolicy policy() {
        return policy;
    }

    @Override
    public OfferResult offer(String payload) {
        String kept = new String(policy.encoded(payload), StandardCharsets.UTF_8);
        synchronized (entries) {
            long now = nowMicros();
            long length = entries.length();
            return length >= policy.capacity()
                    ? OfferResult.Full.of(length, policy.capacity(), entries.waiting.size(), entries.ageMicros(now))
                    : new OfferResult.Accepted(Long.toString(entries.add(now, kept)), length + 1);
        }
    }

    @Override
    public Optional<Delivery> take(String consumer) {
        Delivery.requireConsumer(consumer);
        synchronized (entries) {
            long now = nowMicros();
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
    public EntryState state(String id) {
        synchronized (entries) {
            long number = number(id);
            if (entries.waiting.containsKey(number)) {
                return EntryState.WAITING;
            }
            if (entries.held.stream().anyMatch(entry -> entry.number == number)) {
                return EntryState.TAKEN;
            }
            if (entries.done.contains(number)) {
                return EntryState.DONE;
            }
            return entries.dead.contains(number) ? EntryState.DEAD : EntryState.UNKNOWN;
        }
    }

    /** The number of an id; the number of no entry if the id is malformed. */
    private static long number(String id) {
        return ID.matcher(id).matches() ? Long.parseLong(id) : 0;
    }

    @Override
    public QueueStats stats() {
        synchronized (entries) {
            long age = entries.ageMicros(nowMicros());
            return new QueueStats(
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

    private long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }
}
