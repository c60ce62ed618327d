package dev.limiter.redis.faults;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How tests let time pass, and how they say what they have found. */
final class Moments {
    private static final long PATIENCE_SECONDS = 30;
    private static final long BREATH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Moments() {}

    /** Lets the load go on. */
    static void millis(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /**
     * @throws IllegalStateException if it takes more than 30 s
     */
    static void until(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new IllegalStateException("after " + PATIENCE_SECONDS + " s still not: " + what);
            }
            LockSupport.parkNanos(BREATH_NANOS);
        }
    }

    static double seconds(long nanos) {
        return nanos / 1e9;
    }

    /** The line with the figures of a test. */
    static void say(String format, Object... figures) {
        System.out.println("faults: " + String.format(Locale.ROOT, format, figures));
    }
}
