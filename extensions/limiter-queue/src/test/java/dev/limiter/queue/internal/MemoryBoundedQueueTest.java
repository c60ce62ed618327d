package dev.limiter.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.local.LocalRateLimiter;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.EntryState;
import dev.limiter.queue.OfferResult;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStats;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A queue in memory against a plain list of entries, whatever is called and however the clock
 * steps.
 */
@Tag("proof")
class MemoryBoundedQueueTest {
    private static final int CAPACITY = 4;
    private static final int DELIVERIES = 2;
    private static final int REMEMBERED = 3;
    private static final QueuePolicy POLICY = QueuePolicy.of("q", CAPACITY)
            .withHold(Duration.ofMillis(10))
            .withDeliveries(DELIVERIES)
            .remembering(REMEMBERED);
    private static final long HOLD = 10_000;

    enum Act {
        OFFER,
        TAKE,
        ACKNOWLEDGE
    }

    record Step(long waitMicros, Act act, int number) {}

    /** An entry that was accepted; it is held since an instant, or waits. */
    private static final class Entry {
        private final long number;
        private final String payload;
        private EntryState state = EntryState.WAITING;
        private long since;
        private int deliveries;

        Entry(long number, String payload) {
            this.number = number;
            this.payload = payload;
        }
    }

    /** A clock that stands until it is moved. */
    private static final class VirtualClock implements InstantSource {
        private long micros = 1_700_000_000_000_000L;

        @Override
        public Instant instant() {
            return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        }

        long micros() {
            return micros;
        }

        void advance(long byMicros) {
            micros += byMicros;
        }
    }

    private final VirtualClock clock = new VirtualClock();
    private final BoundedQueue queue =
            BoundedQueues.of(new LocalRateLimiter(clock)).queue(POLICY);
    private final List<Entry> all = new ArrayList<>();
    private final List<Entry> left = new ArrayList<>();
    private final List<Delivery> delivered = new ArrayList<>();

    @Test
    void aQueueIsAListOfEntries() {
        Property.<List<Step>>forAll(dice -> dice.list(
                        1,
                        60,
                        drawn -> new Step(
                                drawn.oneOf(
                                        0L, 1L, HOLD - 1, HOLD, drawn.between(0, HOLD), -drawn.between(0, 2 * HOLD)),
                                drawn.oneOf(Act.OFFER, Act.OFFER, Act.TAKE, Act.TAKE, Act.ACKNOWLEDGE),
                                (int) drawn.between(0, 100))))
                .leavingOut(steps -> steps, (all, some) -> some)
                .tries(10_000)
                .check(steps -> {
                    MemoryBoundedQueueTest fresh = new MemoryBoundedQueueTest();
                    for (Step step : steps) {
                        fresh.live(step);
                    }
                });
    }

    private void live(Step step) {
        clock.advance(step.waitMicros());
        switch (step.act()) {
            case OFFER -> offer();
            case TAKE -> take();
            case ACKNOWLEDGE -> acknowledge(step.number());
        }
        for (Entry entry : all) {
            assertThat(queue.state(Long.toString(entry.number))).isEqualTo(entry.state);
        }
        List<Entry> waiting = in(EntryState.WAITING);
        long age = waiting.isEmpty() ? 0 : Math.max(0, clock.micros() - waiting.get(0).number);
        long dead =
                left.stream().filter(entry -> entry.state == EntryState.DEAD).count();
        assertThat(queue.stats())
                .isEqualTo(new QueueStats(
                        waiting.size(), in(EntryState.TAKEN).size(), dead, Duration.of(age, ChronoUnit.MICROS)));
    }

    private void offer() {
        String payload = "payload" + all.size();
        OfferResult offer = queue.offer(payload);
        int length = in(EntryState.WAITING).size() + in(EntryState.TAKEN).size();
        if (length >= CAPACITY) {
            assertThat(offer).isInstanceOf(OfferResult.Full.class);
            return;
        }
        long last = all.isEmpty() ? 0 : all.get(all.size() - 1).number;
        Entry entry = new Entry(Math.max(clock.micros(), last + 1), payload);
        all.add(entry);
        assertThat(offer).isEqualTo(new OfferResult.Accepted(Long.toString(entry.number), length + 1));
    }

    private void take() {
        long now = clock.micros();
        for (Entry entry : in(EntryState.TAKEN)) {
            entry.since = Math.min(entry.since, now);
        }
        Entry next = null;
        List<Entry> over = in(EntryState.TAKEN);
        over.removeIf(entry -> entry.since > now - HOLD);
        over.sort(Comparator.comparingLong((Entry entry) -> entry.since).thenComparingLong(entry -> entry.number));
        for (Entry entry : over) {
            if (entry.deliveries < DELIVERIES) {
                next = entry;
                break;
            }
            leave(entry, EntryState.DEAD);
        }
        if (next == null && !in(EntryState.WAITING).isEmpty()) {
            next = in(EntryState.WAITING).get(0);
        }
        Optional<Delivery> taken = queue.take("consumer");
        if (next == null) {
            assertThat(taken).isEmpty();
            return;
        }
        next.state = EntryState.TAKEN;
        next.since = now;
        next.deliveries++;
        assertThat(taken).contains(new Delivery(Long.toString(next.number), next.payload, next.deliveries));
        delivered.add(taken.orElseThrow());
    }

    private void acknowledge(int number) {
        if (delivered.isEmpty()) {
            return;
        }
        Delivery delivery = delivered.get(number % delivered.size());
        Entry entry = all.stream()
                .filter(each -> Long.toString(each.number).equals(delivery.id()))
                .findFirst()
                .orElseThrow();
        boolean held = entry.state == EntryState.TAKEN;
        assertThat(queue.acknowledge(delivery)).isEqualTo(held);
        if (held) {
            leave(entry, EntryState.DONE);
        }
    }

    private void leave(Entry entry, EntryState state) {
        entry.state = state;
        left.add(entry);
        List<Entry> same = new ArrayList<>(left);
        same.removeIf(each -> each.state != state);
        for (int i = 0; i < same.size() - REMEMBERED; i++) {
            same.get(i).state = EntryState.UNKNOWN;
            left.remove(same.get(i));
        }
    }

    private List<Entry> in(EntryState state) {
        List<Entry> in = new ArrayList<>(all);
        in.removeIf(entry -> entry.state != state);
        return in;
    }
}
