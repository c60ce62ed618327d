package dev.limiter.queue.model;

import dev.limiter.queue.Delivery;
import dev.limiter.queue.EntryState;
import dev.limiter.queue.OfferResult;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStats;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A bounded queue by its definition: a list of all accepted entries, which is searched for each
 * answer.
 */
public final class QueueModel {
    private static final int MOST_AT_ONCE = 16;
    private static final Comparator<Entry> LONGEST_HELD =
            Comparator.comparingLong((Entry entry) -> entry.sinceMicros).thenComparingLong(entry -> entry.number);

    private final List<Entry> all = new ArrayList<>();
    private long departures;

    private static final class Entry {
        private final long number;
        private final String payload;
        private EntryState state = EntryState.WAITING;
        private int deliveries;
        private long sinceMicros;
        private long departure;

        private Entry(long number, String payload) {
            this.number = number;
            this.payload = payload;
        }
    }

    /** Its numbers are the instants of the offers, or one more than the last. */
    public OfferResult offer(QueuePolicy policy, String payload, long now) {
        long length = in(EntryState.WAITING).count() + in(EntryState.TAKEN).count();
        if (length >= policy.capacity()) {
            QueueStats stats = stats(now);
            return OfferResult.Full.of(
                    length, policy.capacity(), stats.waiting(), stats.age().toNanos() / 1_000);
        }
        long last = all.isEmpty() ? 0 : all.get(all.size() - 1).number;
        all.add(new Entry(Math.max(now, last + 1), payload));
        return new OfferResult.Accepted(Long.toString(all.get(all.size() - 1).number), length + 1);
    }

    public Optional<Delivery> take(QueuePolicy policy, long now) {
        in(EntryState.TAKEN)
                .filter(entry -> entry.sinceMicros > now)
                .sorted(LONGEST_HELD)
                .limit(MOST_AT_ONCE)
                .forEach(entry -> entry.sinceMicros = now);
        for (int i = 0; i < MOST_AT_ONCE; i++) {
            Optional<Entry> over = in(EntryState.TAKEN)
                    .filter(entry -> entry.sinceMicros + policy.holdMicros() <= now)
                    .min(LONGEST_HELD);
            if (over.isEmpty()) {
                break;
            }
            if (over.get().deliveries < policy.deliveries()) {
                return over.map(entry -> deliver(entry, now));
            }
            leave(over.get(), EntryState.DEAD, policy);
        }
        return in(EntryState.WAITING).findFirst().map(entry -> deliver(entry, now));
    }

    private static Delivery deliver(Entry entry, long now) {
        entry.state = EntryState.TAKEN;
        entry.sinceMicros = now;
        entry.deliveries++;
        return new Delivery(Long.toString(entry.number), entry.payload, entry.deliveries);
    }

    public boolean acknowledge(QueuePolicy policy, String id) {
        Optional<Entry> held = in(EntryState.TAKEN)
                .filter(entry -> Long.toString(entry.number).equals(id))
                .findFirst();
        held.ifPresent(entry -> leave(entry, EntryState.DONE, policy));
        return held.isPresent();
    }

    private void leave(Entry entry, EntryState state, QueuePolicy policy) {
        entry.state = state;
        entry.departure = ++departures;
        in(state)
                .sorted(Comparator.comparingLong((Entry left) -> left.departure).reversed())
                .skip(policy.remembered())
                .toList()
                .forEach(left -> left.state = EntryState.UNKNOWN);
    }

    public EntryState state(String id) {
        return all.stream()
                .filter(entry -> Long.toString(entry.number).equals(id))
                .map(entry -> entry.state)
                .findFirst()
                .orElse(EntryState.UNKNOWN);
    }

    public QueueStats stats(long now) {
        long age = in(EntryState.WAITING)
                .mapToLong(entry -> Math.max(0, now - entry.number))
                .findFirst()
                .orElse(0);
        return new QueueStats(
                in(EntryState.WAITING).count(),
                in(EntryState.TAKEN).count(),
                in(EntryState.DEAD).count(),
                Duration.of(age, ChronoUnit.MICROS));
    }

    private Stream<Entry> in(EntryState state) {
        return all.stream().filter(entry -> entry.state == state);
    }
}
