package dev.limiter.model;

import dev.limiter.Delivery;
import dev.limiter.Offer;
import dev.limiter.QueueCensus;
import dev.limiter.QueuePolicy;
import dev.limiter.QueueState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A bounded queue as its definition has it: a list of all that was ever accepted, searched for each answer. */
public final class QueueModel {
    private static final int MOST_AT_ONCE = 16;
    private static final Comparator<Entry> LONGEST_HELD =
            Comparator.comparingLong((Entry entry) -> entry.sinceMicros).thenComparingLong(entry -> entry.number);

    private final List<Entry> all = new ArrayList<>();
    private long departures;

    private static final class Entry {
        private final long number;
        private final String payload;
        private QueueState state = QueueState.WAITING;
        private int deliveries;
        private long sinceMicros;
        private long departure;

        private Entry(long number, String payload) {
            this.number = number;
            this.payload = payload;
        }
    }

    /** Its numbers are the instants of the offers, or one more than the last. */
    public Offer offer(QueuePolicy policy, String payload, long now) {
        long length = in(QueueState.WAITING).count() + in(QueueState.TAKEN).count();
        if (length >= policy.capacity()) {
            QueueCensus census = census(now);
            return Offer.Refused.of(
                    length, policy.capacity(), census.waiting(), census.age().toNanos() / 1_000);
        }
        long last = all.isEmpty() ? 0 : all.get(all.size() - 1).number;
        all.add(new Entry(Math.max(now, last + 1), payload));
        return new Offer.Accepted(Long.toString(all.get(all.size() - 1).number), length + 1);
    }

    public Optional<Delivery> take(QueuePolicy policy, long now) {
        in(QueueState.TAKEN)
                .filter(entry -> entry.sinceMicros > now)
                .sorted(LONGEST_HELD)
                .limit(MOST_AT_ONCE)
                .forEach(entry -> entry.sinceMicros = now);
        for (int i = 0; i < MOST_AT_ONCE; i++) {
            Optional<Entry> over = in(QueueState.TAKEN)
                    .filter(entry -> entry.sinceMicros + policy.holdMicros() <= now)
                    .min(LONGEST_HELD);
            if (over.isEmpty()) {
                break;
            }
            if (over.get().deliveries < policy.deliveries()) {
                return over.map(entry -> deliver(entry, now));
            }
            leave(over.get(), QueueState.DEAD, policy);
        }
        return in(QueueState.WAITING).findFirst().map(entry -> deliver(entry, now));
    }

    private static Delivery deliver(Entry entry, long now) {
        entry.state = QueueState.TAKEN;
        entry.sinceMicros = now;
        entry.deliveries++;
        return new Delivery(Long.toString(entry.number), entry.payload, entry.deliveries);
    }

    public boolean acknowledge(QueuePolicy policy, String id) {
        Optional<Entry> held = in(QueueState.TAKEN)
                .filter(entry -> Long.toString(entry.number).equals(id))
                .findFirst();
        held.ifPresent(entry -> leave(entry, QueueState.DONE, policy));
        return held.isPresent();
    }

    private void leave(Entry entry, QueueState state, QueuePolicy policy) {
        entry.state = state;
        entry.departure = ++departures;
        in(state)
                .sorted(Comparator.comparingLong((Entry left) -> left.departure).reversed())
                .skip(policy.remembered())
                .toList()
                .forEach(left -> left.state = QueueState.UNKNOWN);
    }

    public QueueState state(String id) {
        return all.stream()
                .filter(entry -> Long.toString(entry.number).equals(id))
                .map(entry -> entry.state)
                .findFirst()
                .orElse(QueueState.UNKNOWN);
    }

    public QueueCensus census(long now) {
        long age = in(QueueState.WAITING)
                .mapToLong(entry -> Math.max(0, now - entry.number))
                .findFirst()
                .orElse(0);
        return new QueueCensus(
                in(QueueState.WAITING).count(),
                in(QueueState.TAKEN).count(),
                in(QueueState.DEAD).count(),
                Duration.of(age, ChronoUnit.MICROS));
    }

    private Stream<Entry> in(QueueState state) {
        return all.stream().filter(entry -> entry.state == state);
    }
}
