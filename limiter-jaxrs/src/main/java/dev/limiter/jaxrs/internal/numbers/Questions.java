package dev.limiter.jaxrs.internal.numbers;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * How beans are asked, for all policies of an application.
 *
 * @param threads run the beans; reject a question if all are held up
 * @param nanos a clock that does not step, in ns
 * @param cacheNanos how long an answer holds
 * @param patienceNanos how long requests wait for an answer, from the question on
 */
record Questions(Executor threads, LongSupplier nanos, long cacheNanos, long patienceNanos, NumbersFailures failures)
        implements AutoCloseable {
    static final long PATIENCE_NANOS = ContractNumbers.millis(250);
    private static final long LONGEST_PAUSE_NANOS = ContractNumbers.millis(1_000);

    Questions(Executor threads, LongSupplier nanos, long cacheNanos, NumbersFailures failures) {
        this(threads, nanos, cacheNanos, PATIENCE_NANOS, failures);
    }

    long now() {
        return nanos.getAsLong();
    }

    /** How long a failure keeps the partition from being asked for again. */
    long pauseNanos() {
        return Math.min(cacheNanos, LONGEST_PAUSE_NANOS);
    }

    @Override
    public void close() {
        if (threads instanceof AskingThreads own) {
            own.close();
        }
    }
}
