package dev.limiter.jaxrs.internal.numbers;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * How numbers are loaded from beans, for all policies of an application.
 *
 * @param threads run the beans; reject a load that would be answered too late
 * @param nanos a clock that does not step, in ns
 * @param cacheNanos how long an answer holds
 * @param maxWaitNanos how long requests wait for an answer, from the begin of the load on
 */
record NumbersLoader(Executor threads, LongSupplier nanos, long cacheNanos, long maxWaitNanos, NumbersFailures failures)
        implements AutoCloseable {
    static final long MAX_WAIT_NANOS = ContractNumbers.millis(250);
    private static final long LONGEST_PAUSE_NANOS = ContractNumbers.millis(1_000);

    NumbersLoader(Executor threads, LongSupplier nanos, long cacheNanos, NumbersFailures failures) {
        this(threads, nanos, cacheNanos, MAX_WAIT_NANOS, failures);
    }

    long now() {
        return nanos.getAsLong();
    }

    /** How long a failure keeps the partition from being loaded again. */
    long pauseNanos() {
        return Math.min(cacheNanos, LONGEST_PAUSE_NANOS);
    }

    /** The same if no thread was free. It is shorter, since the bean was not called. */
    long busyPauseNanos() {
        return Math.min(cacheNanos, MAX_WAIT_NANOS);
    }

    @Override
    public void close() {
        if (threads instanceof LoaderThreads own) {
            own.close();
        }
    }
}
