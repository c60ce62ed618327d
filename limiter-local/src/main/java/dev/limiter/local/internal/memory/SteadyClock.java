package dev.limiter.local.internal.memory;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The wall clock at creation, advanced by the monotonic clock. It neither steps nor runs back. A
 * later correction of the wall clock is unknown to it, and so is the time of a suspension.
 */
public final class SteadyClock implements InstantSource {
    private final Instant origin = Instant.now();
    private final long originNanos = System.nanoTime();

    @Override
    public Instant instant() {
        return origin.plusNanos(System.nanoTime() - originNanos);
    }
}
