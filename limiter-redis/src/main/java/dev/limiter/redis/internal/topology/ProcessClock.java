package dev.limiter.redis.internal.topology;

import java.util.function.LongSupplier;

/**
 * How long this process has run, in ns. A process may be stopped, collect garbage, or have used up
 * the processor time of its container. Redis is not to blame for what is late because of that.
 *
 * <p>A thread that wants to run all the time beats. If the next beat is late, the process has not
 * run, and the clock stands until it comes. So a caller that wakes first sees the right time. A
 * beat also says whether the time to the next one counts.
 */
public final class ProcessClock implements LongSupplier {
    private final LongSupplier nanos;
    private final long beatNanos;
    private volatile Beat last;

    /** How long the process had run at an instant, and can have run more by the next beat. */
    private record Beat(long atNanos, long ranNanos, long mostNanos) {}

    /**
     * @param nanos a clock that does not step, in ns
     * @param beatNanos the time between two beats; {@link Long#MAX_VALUE} for a process that
     *     always runs
     */
    public ProcessClock(LongSupplier nanos, long beatNanos) {
        this.nanos = nanos;
        this.beatNanos = beatNanos;
        long now = nanos.getAsLong();
        this.last = new Beat(now, now, Long.MAX_VALUE);
    }

    @Override
    public long getAsLong() {
        Beat beat = last;
        return beat.ranNanos + Math.min(realNanos() - beat.atNanos, beat.mostNanos);
    }

    /** The clock that goes on while the process does not run. */
    public long realNanos() {
        return nanos.getAsLong();
    }

    long beatNanos() {
        return beatNanos;
    }

    /**
     * Is called at least every {@link #beatNanos}, by one thread at a time.
     *
     * @param counts whether the time to the next beat counts
     */
    void beat(boolean counts) {
        last = new Beat(realNanos(), getAsLong(), counts || beatNanos == Long.MAX_VALUE ? beatNanos : 0);
    }

    /** No beat comes for a while, and the clock does not stand. */
    void rest() {
        last = new Beat(realNanos(), getAsLong(), Long.MAX_VALUE);
    }
}
