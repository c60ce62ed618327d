package dev.limiter.jaxrs.internal.signals;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** When to speak of what may happen thousands of times a second: at the first time, then at most once a minute. */
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

    /** To be asked each time: 0 to be silent, else how often it has happened since it was last to be said, this time included. */
    public long times() {
        unsaid.incrementAndGet();
        long now = nanos.getAsLong();
        long until = silentUntil.get();
        return now - until >= 0 && silentUntil.compareAndSet(until, now + PAUSE_NANOS) ? unsaid.getAndSet(0) : 0;
    }
}
