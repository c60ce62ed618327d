package dev.limiter.redis.internal.combine;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Stops asking a server that does not answer. It counts calls, however many callers share a
 * call. It opens after {@value #IN_A_ROW} failures in a row. It also opens when half of the last
 * {@value #LOOKED_AT} within {@value #SPAN_SECONDS} s failed. It closes when {@link #close} says
 * that the server is back.
 *
 * <p>While the server answers, a call costs one volatile read.
 */
public final class Breaker {
    public static final int IN_A_ROW = 5;
    public static final int LOOKED_AT = 20;
    static final int SPAN_SECONDS = 10;

    private final LongSupplier nanos;
    private final boolean[] failures = new boolean[LOOKED_AT];
    private final long[] instants = new long[LOOKED_AT];
    private long recorded;
    private int inARow;
    private boolean hasRecovered;
    private long closedNanos;

    /** Whether calls are recorded: only while a failure still counts. */
    private volatile boolean failedLately;

    private volatile String openedBy;

    /**
     * @param nanos a clock that does not step, in ns
     */
    public Breaker(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The failure that opened it; null while it is closed. */
    public String openedBy() {
        return openedBy;
    }

    public void succeeded() {
        if (failedLately) {
            record(false);
        }
    }

    /**
     * @param reason in words, without credentials
     * @return whether this failure opened it
     */
    public synchronized boolean failed(String reason) {
        failedLately = true;
        inARow++;
        record(true);
        if (openedBy != null || inARow < IN_A_ROW && !halfFailed()) {
            return false;
        }
        openedBy = reason;
        return true;
    }

    /**
     * Opens it, whatever came before.
     *
     * @return whether it was closed
     */
    public synchronized boolean open(String reason) {
        boolean opensNow = openedBy == null;
        openedBy = reason;
        return opensNow;
    }

    /**
     * Closes it, because the server is back, and forgets all calls before.
     *
     * @return whether it was open
     */
    public synchronized boolean close() {
        boolean wasOpen = openedBy != null;
        if (wasOpen) {
            hasRecovered = true;
            closedNanos = nanos.getAsLong();
        }
        forget();
        openedBy = null;
        return wasOpen;
    }

    /** Whether the server was said to be back less than {@value #SPAN_SECONDS} s ago. */
    public synchronized boolean closedLately() {
        return hasRecovered && nanos.getAsLong() - closedNanos < TimeUnit.SECONDS.toNanos(SPAN_SECONDS);
    }

    private synchronized void record(boolean failure) {
        long now = nanos.getAsLong();
        failures[(int) (recorded % LOOKED_AT)] = failure;
        instants[(int) (recorded % LOOKED_AT)] = now;
        recorded++;
        if (!failure) {
            inARow = 0;
            if (failedAmongLast(now) == 0) {
                forget();
            }
        }
    }

    private boolean halfFailed() {
        return recorded >= LOOKED_AT && 2 * failedAmongLast(nanos.getAsLong()) >= LOOKED_AT;
    }

    private int failedAmongLast(long now) {
        int failed = 0;
        for (int i = 0; i < Math.min(recorded, LOOKED_AT); i++) {
            failed += failures[i] && now - instants[i] <= TimeUnit.SECONDS.toNanos(SPAN_SECONDS) ? 1 : 0;
        }
        return failed;
    }

    private void forget() {
        failedLately = false;
        inARow = 0;
        recorded = 0;
    }
}
