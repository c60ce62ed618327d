package dev.limiter.queue.internal;

import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStats;
import dev.limiter.spi.Signals;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Shows each queue that the application asks for as three gauges. The gauges of a name ask the
 * queue that the application asked for last. Beyond {@value #MOST_QUEUES} names further queues
 * have no gauges.
 */
public final class MeasuredQueues implements BoundedQueues {
    static final int MOST_QUEUES = 1_000;

    private final BoundedQueues queues;
    private final Signals signals;
    private final LongSupplier nanos;
    private final Map<String, CachedQueueStats> measured = new ConcurrentHashMap<>();

    public MeasuredQueues(BoundedQueues queues, Signals signals) {
        this(queues, signals, System::nanoTime);
    }

    /** @param nanos a clock that does not step, in ns */
    MeasuredQueues(BoundedQueues queues, Signals signals, LongSupplier nanos) {
        this.queues = queues;
        this.signals = signals;
        this.nanos = nanos;
    }

    @Override
    public BoundedQueue queue(QueuePolicy policy) {
        BoundedQueue queue = queues.queue(policy);
        String name = policy.name();
        if (measured.size() < MOST_QUEUES || measured.containsKey(name)) {
            measured.computeIfAbsent(name, first -> measured(first, queue)).turnTo(queue::stats);
        }
        return queue;
    }

    private CachedQueueStats measured(String name, BoundedQueue queue) {
        CachedQueueStats stats = new CachedQueueStats(queue::stats, nanos);
        signals.gauge("limiter.queue.length", "queue", name, () -> stats.figure(QueueStats::length));
        signals.gauge("limiter.queue.age", "queue", name, () -> stats.figure(CachedQueueStats::ageSeconds));
        signals.gauge("limiter.queue.dead", "queue", name, () -> stats.figure(QueueStats::dead));
        return stats;
    }
}
