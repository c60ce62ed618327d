package dev.limiter.queue.internal;

import dev.limiter.StoreUnavailableException;
import dev.limiter.queue.QueueStats;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Stats that several gauges share. They ask the store once a second at most, for any number of
 * gauges and readings. A store that gives no answer is not asked more often either. The gauges
 * then have no number.
 */
final class CachedQueueStats {
    private static final long LASTS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanos;
    private Supplier<QueueStats> stats;
    private QueueStats latest;
    private boolean asked;
    private long askedNanos;

    /**
     * @param stats asks the store
     * @param nanos a clock that does not step, in ns
     */
    CachedQueueStats(Supplier<QueueStats> stats, LongSupplier nanos) {
        this.stats = stats;
        this.nanos = nanos;
    }

    /**
     * Asks another supplier from now on. The last answer of the old one stays valid for its
     * second.
     *
     * @param later asks the store
     */
    synchronized void turnTo(Supplier<QueueStats> later) {
        stats = later;
    }

    /** A number of the stats; NaN if the store gives no answer. */
    synchronized double figure(ToDoubleFunction<QueueStats> number) {
        long now = nanos.getAsLong();
        if (!asked || now - askedNanos >= LASTS_NANOS) {
            asked = true;
            askedNanos = now;
            latest = ask();
        }
        return latest == null ? Double.NaN : number.applyAsDouble(latest);
    }

    private QueueStats ask() {
        try {
            return stats.get();
        } catch (StoreUnavailableException unavailable) {
            return null;
        }
    }

    static double ageSeconds(QueueStats stats) {
        return stats.age().toNanos() / 1e9;
    }
}
