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
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The gauges of queues. */
class MeasuredQueuesTest {
    private final Map<String, DoubleSupplier> gauges = new HashMap<>();
    private final List<String> told = new ArrayList<>();
    private final Signals signals = new Signals() {
        @Override
        public void gauge(String name, String tag, String value, DoubleSupplier figure) {
            assertThat(tag).isEqualTo("queue");
            told.add(name + " " + value);
            gauges.put(name + " " + value, figure);
        }
    };
    private Supplier<QueueStats> stats = () -> new QueueStats(0, 0, 0, Duration.ZERO);
    private long nanos;
    private final BoundedQueues measured =
            new MeasuredQueues(policy -> new Counted(policy, stats), signals, () -> nanos);

    /** A queue that is asked for its figures only. */
    private record Counted(QueuePolicy policy, Supplier<QueueStats> figures) implements BoundedQueue {
        @Override
        public QueueStats stats() {
            return figures.get();
        }

        @Override
        public OfferResult offer(String payload) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Delivery> take(String consumer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean acknowledge(Delivery delivery) {
            throw new UnsupportedOperationException();
        }

        @Override
        public EntryState state(String id) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String storeKey() {
            throw new UnsupportedOperationException();
        }
    }

    private void ask(String name) {
        measured.queue(QueuePolicy.of(name, 10));
    }

    private double gauge(String figure) {
        return gauges.get("limiter.queue." + figure + " orders").getAsDouble();
    }

    @Test
    void aQueueHasItsLengthItsAgeAndItsDead() {
        stats = () -> new QueueStats(2, 1, 4, Duration.ofMillis(1_500));
        ask("orders");
        stats = () -> new QueueStats(3, 1, 4, Duration.ofMillis(1_500));
        ask("orders");
        assertThat(gauge("length")).isEqualTo(4);
        assertThat(gauge("age")).isEqualTo(1.5);
        assertThat(gauge("dead")).isEqualTo(4);
    }

    /**
     * An application may ask for its queue with each request. That costs no further gauge and no
     * call to the store.
     */
    @Test
    void aQueueThatIsAskedForAThousandTimesIsMeasuredOnce() {
        AtomicInteger asked = new AtomicInteger();
        for (int second = 1; second <= 3; second++) {
            for (int i = 0; i < 1_000; i++) {
                long length = i;
                stats = () -> new QueueStats(length, asked.incrementAndGet(), 0, Duration.ZERO);
                ask("orders");
                gauge("length");
            }
            assertThat(asked).hasValue(second);
            nanos += 1_000_000_000;
        }
        assertThat(gauge("length")).as("the latest is asked").isEqualTo(999 + 4);
        assertThat(told).hasSize(3);
    }

    /**
     * Queues beyond the thousandth have no gauges. The others keep theirs, with the stats of the
     * last call.
     */
    @Test
    void ofAThousandQueuesEachIsMeasuredByItsLatestStats() {
        stats = () -> new QueueStats(1, 0, 0, Duration.ZERO);
        ask("orders");
        for (int i = 1; i <= MeasuredQueues.MOST_QUEUES; i++) {
            ask("q" + i);
        }
        stats = () -> new QueueStats(7, 0, 0, Duration.ZERO);
        ask("orders");
        assertThat(told).hasSize(3 * MeasuredQueues.MOST_QUEUES);
        assertThat(gauge("length")).isEqualTo(7);
    }

    /** Its gauges ask the queue itself. */
    @Test
    void theQueuesOfALimiterThatIsMeasuredAreMeasured() {
        LocalRateLimiter limiter = new LocalRateLimiter();
        BoundedQueue queue = new MeasuredQueues(BoundedQueues.of(limiter), signals).queue(QueuePolicy.of("orders", 1));
        queue.accept("fish");
        assertThat(gauge("length")).isEqualTo(1);
        assertThat(BoundedQueues.of(limiter)
                        .queue(QueuePolicy.of("orders", 1))
                        .stats()
                        .length())
                .as("the same queue")
                .isEqualTo(1);
    }
}
