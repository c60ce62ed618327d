package dev.limiter.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.BoundedQueue;
import dev.limiter.BoundedQueues;
import dev.limiter.Delivery;
import dev.limiter.Offer;
import dev.limiter.QueueForm;
import dev.limiter.QueuePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Lives through a random history with the model and with queues that have to answer alike: capacities that change with every call, holds
 * that end at this microsecond or the next, consumers who come back late, clocks that stand or step, identities that nobody has given.
 */
public final class QueueTrial {
    private static final long START = 1_700_000_000_000_000L;
    private static final List<String> PAYLOADS =
            List.of("", "fish for Ada", "ünïcode \u0000 \uD83D\uDC27", "x".repeat(300));

    private final QueueModel model = new QueueModel();
    private final Dice dice;
    private final LongConsumer clock;
    private final List<Subject> subjects;
    private final String name;
    private final List<String> told = new ArrayList<>();
    private final List<String> ids = new ArrayList<>(List.of("0", "x", "1699999999999999", "01700000000000000"));
    private final List<String> delivered = new ArrayList<>();
    private long now = START;
    private long holdMicros = 1_000;

    /** Queues that are asked in one form. */
    public record Subject(String name, BoundedQueues queues, QueueForm form) {}

    /**
     * @param clock moves the time of all subjects
     */
    public QueueTrial(long seed, String name, LongConsumer clock, List<Subject> subjects) {
        this.dice = new Dice(new Random(seed));
        this.name = name;
        this.clock = clock;
        this.subjects = subjects;
    }

    /**
     * @return the steps that were made
     * @throws AssertionError at the first difference, with all that came before
     */
    public int liveThrough() {
        int steps = (int) dice.between(1, 60);
        for (int step = 0; step < steps; step++) {
            pass();
            step();
        }
        return steps;
    }

    /** What is held at this moment, by those who have it to themselves. */
    public long taken() {
        return model.census(now).taken();
    }

    /** What is dead, and remembered. */
    public long dead() {
        return model.census(now).dead();
    }

    private void pass() {
        now += dice.oneOf(0L, 0L, 1L, holdMicros - 1, holdMicros, holdMicros + 1, dice.between(0, 3_000_000));
        if (dice.chance(3)) {
            now -= dice.between(0, 5_000_000);
        }
        clock.accept(now);
    }

    private void step() {
        holdMicros = dice.oneOf(1_000L, 1_000L, 700_000L, 2_000_000L);
        QueuePolicy policy = QueuePolicy.of(name, dice.oneOf(1L, 2L, 3L, 5L, 25L, 25L))
                .withHold(Duration.ofNanos(1_000 * holdMicros))
                .withDeliveries((int) dice.between(1, 3))
                .remembering((int) dice.between(1, 4));
        if (dice.chance(2)) {
            crowd(policy.withCapacity(25).withDeliveries(1));
        }
        switch ((int) dice.between(0, 9)) {
            case 0, 1, 2, 3 -> offer(policy, dice.oneOf(PAYLOADS));
            case 4, 5, 6 -> take(policy, "consumer-" + dice.between(1, 3));
            case 7 ->
                acknowledge(policy, dice.chance(10) || delivered.isEmpty() ? dice.oneOf(ids) : dice.oneOf(delivered));
            case 8 -> state(policy, dice.chance(70) ? newest() : dice.oneOf(ids));
            default -> census(policy);
        }
    }

    /** More entries are over than one call passes over, and sometimes more holds are ahead than one call mends. */
    private void crowd(QueuePolicy policy) {
        for (int i = 0; i < 20; i++) {
            offer(policy, "crowd");
            take(policy, "crowd");
        }
        if (dice.chance(50)) {
            move(-10 * holdMicros);
            take(policy, "crowd");
        }
        move(holdMicros);
        for (int i = 0; i < 2; i++) {
            take(policy, "crowd");
            census(policy);
        }
    }

    private void census(QueuePolicy policy) {
        alike(policy, "census", model.census(now), BoundedQueue::census);
    }

    private void move(long micros) {
        now += micros;
        clock.accept(now);
    }

    private void offer(QueuePolicy policy, String payload) {
        Offer expected = model.offer(policy, payload, now);
        alike(policy, "offer", expected, queue -> queue.offer(payload));
        if (expected instanceof Offer.Accepted accepted) {
            ids.add(accepted.id());
        }
    }

    private void take(QueuePolicy policy, String consumer) {
        Optional<Delivery> expected = model.take(policy, now);
        alike(policy, "take", expected, queue -> queue.take(consumer));
        expected.map(Delivery::id).ifPresent(delivered::add);
    }

    private void acknowledge(QueuePolicy policy, String id) {
        Delivery delivery = new Delivery(id, "", 1);
        alike(policy, "acknowledge " + id, model.acknowledge(policy, id), queue -> queue.acknowledge(delivery));
    }

    private void state(QueuePolicy policy, String id) {
        alike(policy, "state " + id, model.state(id), queue -> queue.state(id));
    }

    /** One of the last, of which something may have become. */
    private String newest() {
        return ids.get(Math.max(0, ids.size() - 1 - (int) dice.between(0, 5)));
    }

    private void alike(QueuePolicy policy, String call, Object expected, Function<BoundedQueue, Object> ask) {
        told.add(now - START + " µs " + call + " of " + policy + " -> " + expected);
        for (Subject subject : subjects) {
            assertThat(ask.apply(subject.queues().queue(policy.in(subject.form()))))
                    .as(() -> subject.name() + " differs from the model in the last of\n" + String.join("\n", told))
                    .isEqualTo(expected);
        }
    }
}
