package dev.limiter.testkit;

import java.util.concurrent.locks.LockSupport;

/**
 * Measures beside a test how long a thread that wants to run is not run. What a test may take, by
 * the clock, is as much longer:
 *
 * <pre>{@code
 * try (Stall machine = Stall.begin()) {
 *     ...
 *     assertThat(nanos).isLessThan(deadline + machine.longestNanos());
 * }
 * }</pre>
 */
public final class Stall implements AutoCloseable {
    private static final long PAUSE_NANOS = 1_000_000;

    private final Thread thread = new Thread(this::measure, "stall");
    private volatile long lastNanos = System.nanoTime();
    private volatile long longestNanos;
    private volatile boolean over;

    private Stall() {}

    public static Stall begin() {
        Stall stall = new Stall();
        stall.thread.setDaemon(true);
        stall.thread.start();
        return stall;
    }

    private void measure() {
        while (!over) {
            LockSupport.parkNanos(PAUSE_NANOS);
            longestNanos = longestNanos();
            lastNanos = System.nanoTime();
        }
    }

    /** The longest time until now, in ns. */
    public long longestNanos() {
        return Math.max(longestNanos, System.nanoTime() - lastNanos - PAUSE_NANOS);
    }

    @Override
    public void close() {
        over = true;
    }
}
