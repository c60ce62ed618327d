package dev.limiter.jaxrs.internal.signals;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Throttles log lines for events that may happen thousands of times a second: the first is
 * logged, then at most one a minute.
 */
public final class LogThrottle {
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;
    private final AtomicLong silentUntil;
    private final AtomicLong unsaid = new AtomicLong();

    /**
     * @param nanos a clock that does not step, in ns
     */
    public LogThrottle(LongSupplier nanos) {
        this.nanos = nanos;
        this.silentUntil = new AtomicLong(nanos.getAsLong());
    }

    /**
     * To be called for each event. Returns 0 for silence, otherwise the number of events since
     * the last line, this one included.
     */
    public long times() {
        unsaid.incrementAndGet();
        long now = nanos.getAsLong();
        long until = silentUntil.get();
        return now - until >= 0 && silentUntil.compareAndSet(until, now + PAUSE_NANOS) ? unsaid.getAndSet(0) : 0;
    }
}
