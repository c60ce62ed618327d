package dev.limiter.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits until other processes have come to an agreement that is not announced. */
final class Eventually {

    private static final long MILLIS_BETWEEN = 20;

    private Eventually() {}

    /**
     * Asks every 20 ms until the answer is yes.
     *
     * @param what is awaited, for the error message
     * @throws IllegalStateException if the answer is still no after {@code patience}
     */
    static void await(String what, Duration patience, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("after " + patience.toSeconds() + " s still not: " + what);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(MILLIS_BETWEEN);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", interrupted);
        }
    }
}
