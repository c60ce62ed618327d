package dev.limiter.spi;

import java.time.Duration;

/** How long one call may wait for admission, and how long it has slept so far. */
public final class WaitBudget {
    private final Duration atMost;
    private long sleptNanos;

    /**
     * Makes the budget of one call.
     *
     * @param atMost the longest wait; not negative
     * @throws IllegalArgumentException if it is negative
     */
    public WaitBudget(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("atMost must not be negative, was " + atMost);
        }
        this.atMost = atMost;
    }

    /** {@return the longest wait} */
    public Duration atMost() {
        return atMost;
    }

    /** {@return how long the caller has slept so far, in ns} */
    public long sleptNanos() {
        return sleptNanos;
    }

    /**
     * Notes that the caller has slept.
     *
     * @param nanos for how long, in ns
     */
    public void slept(long nanos) {
        sleptNanos += nanos;
    }

    /** The thread was interrupted while it waited. Callers get its cause. */
    public static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /**
         * Makes an exception, as layers throw it.
         *
         * @param interruption what callers get
         */
        public Interrupted(InterruptedException interruption) {
            super(interruption);
        }

        @Override
        public synchronized InterruptedException getCause() {
            return (InterruptedException) super.getCause();
        }
    }
}
