package dev.limiter.jaxrs.internal.signals;

import dev.limiter.QueueCensus;
import dev.limiter.StoreUnavailableException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * A census that several gauges share. The census asks the store once a second at most, for any number of gauges and readings.
 * A store that gives no answer is not asked more often either, and a gauge says then that there is no number.
 */
final class CachedQueueStats {
    private static final long LASTS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanos;
    private Supplier<QueueCensus> census;
    private QueueCensus latest;
    private boolean asked;
    private long askedNanos;

    /**
     * @param census asks the store
     * @param nanos a clock that does not step, in ns
     */
    CachedQueueStats(Supplier<QueueCensus> census, LongSupplier nanos) {
        this.census = census;
        this.nanos = nanos;
    }

    /**
     * Asks another from now on. What the one before has answered lasts its second.
     *
     * @param later asks the store
     */
    synchronized void turnTo(Supplier<QueueCensus> later) {
        census = later;
    }

    /** One number of it; NaN if the store gives no answer. */
    synchronized double figure(ToDoubleFunction<QueueCensus> number) {
        long now = nanos.getAsLong();
        if (!asked || now - askedNanos >= LASTS_NANOS) {
            asked = true;
            askedNanos = now;
            latest = ask();
        }
        return latest == null ? Double.NaN : number.applyAsDouble(latest);
    }

    private QueueCensus ask() {
        try {
            return census.get();
        } catch (StoreUnavailableException unavailable) {
            return null;
        }
    }

    static double ageSeconds(QueueCensus census) {
        return census.age().toNanos() / 1e9;
    }
}
