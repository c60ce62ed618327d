package dev.limiter.example;

import java.util.concurrent.locks.LockSupport;

/** Measures how long a thread that wants to run all the time is not run. */
final class Stall {
    private static final long PAUSE_NANOS = 1_000_000;

    private Stall() {}

    /** The longest time that this thread was away, in so many ns from now, when this returns. */
    static long over(long nanos) {
        long last = System.nanoTime();
        long end = last + nanos;
        long longest = 0;
        while (last - end < 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
            long now = System.nanoTime();
            longest = Math.max(longest, now - last - PAUSE_NANOS);
            last = now;
        }
        return longest;
    }
}
