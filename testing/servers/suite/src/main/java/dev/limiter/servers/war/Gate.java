package dev.limiter.servers.war;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Holds requests until a test lets them go. */
final class Gate {
    private static final Semaphore OPENINGS = new Semaphore(0);
    private static final int PATIENCE_SECONDS = 25;

    private Gate() {}

    /** Lets one pass. */
    static void open() {
        OPENINGS.release();
    }

    /** Takes back what was opened in vain. */
    static void close() {
        OPENINGS.drainPermits();
    }

    /** Returns when a test has opened, once for each. */
    static void await() {
        try {
            if (!OPENINGS.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody opened");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    /** Does something in another thread, when a test has opened. */
    static void whenOpen(Runnable work) {
        Thread thread = new Thread(() -> {
            await();
            work.run();
        });
        thread.setDaemon(true);
        thread.start();
    }
}
