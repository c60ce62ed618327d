package dev.limiter.queue.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.OfferResult;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** Runs a history on the model and on queues, which have to answer alike. */
public final class QueueHistoryRun {
    private static final long START = 1_700_000_000_000_000L;

    private final QueueModel model = new QueueModel();
    private final LongConsumer clock;
    private final List<Subject> subjects;
    private final List<String> told = new ArrayList<>();
    private final List<String> ids = new ArrayList<>(List.of("0", "x", "1699999999999999", "01700000000000000"));
    private final List<String> delivered = new ArrayList<>();
    private long now = START;

    /** Queues in one form. */
    public record Subject(String name, BoundedQueues queues, QueueStorage form) {}

    /**
     * @param clock moves the time of all subjects
     */
    public QueueHistoryRun(LongConsumer clock, List<Subject> subjects) {
        this.clock = clock;
        this.subjects = subjects;
    }

    /**
     * Runs all steps of a history.
     *
     * @throws AssertionError at the first difference, with all steps before it
     */
    public void liveThrough(QueueHistory history) {
        for (QueueStep step : history.steps()) {
            now += step.pauseMicros();
            clock.accept(now);
            live(step);
        }
    }

    /** The number of entries whose holds are not over. */
    public long taken() {
        return model.stats(now).taken();
    }

    /** The number of dead entries that are remembered. */
    public long dead() {
        return model.stats(now).dead();
    }

    private void live(QueueStep step) {
        QueuePolicy policy = step.policy();
        if (step instanceof QueueStep.OfferResult offer) {
            offer(policy, offer.payload());
        } else if (step instanceof QueueStep.Take take) {
            take(policy, take.consumer());
        } else if (step instanceof QueueStep.Acknowledge acknowledge) {
            acknowledge(policy, text(acknowledge.id()));
        } else if (step instanceof QueueStep.State state) {
            state(policy, text(state.id()));
        } else if (step instanceof QueueStep.Stats) {
            alike(policy, "stats", model.stats(now), BoundedQueue::stats);
        }
    }

    private String text(QueueStep.Id id) {
        List<String> from = id.delivered() && !delivered.isEmpty() ? delivered : ids;
        return from.get(from.size() - 1 - id.latest() % from.size());
    }

    private void offer(QueuePolicy policy, String payload) {
        OfferResult expected = model.offer(policy, payload, now);
        alike(policy, "offer", expected, queue -> queue.offer(payload));
        if (expected instanceof OfferResult.Accepted accepted) {
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

    private void alike(QueuePolicy policy, String call, Object expected, Function<BoundedQueue, Object> ask) {
        told.add(now - START + " µs " + call + " of " + policy + " -> " + expected);
        for (Subject subject : subjects) {
            assertThat(ask.apply(subject.queues().queue(policy.in(subject.form()))))
                    .as(() -> subject.name() + " differs from the model in the last of\n" + String.join("\n", told))
                    .isEqualTo(expected);
        }
    }
}
