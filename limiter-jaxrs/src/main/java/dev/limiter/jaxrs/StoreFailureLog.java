package dev.limiter.jaxrs;

import dev.limiter.StoreUnavailableException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Says that the store fails, at most once a minute: an outage must not become an outage of the log as well. */
final class StoreFailureLog {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final AtomicLong silentUntil = new AtomicLong(System.nanoTime());
    private final AtomicLong unsaid = new AtomicLong();

    /**
     * @param consequence what became of the request, as half a sentence
     */
    void log(StoreUnavailableException failure, String consequence) {
        long now = System.nanoTime();
        long until = silentUntil.get();
        if (now - until < 0 || !silentUntil.compareAndSet(until, now + PAUSE_NANOS)) {
            unsaid.incrementAndGet();
            return;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}; {1}. {2} more failures since the last such message",
                failure.getMessage(),
                consequence,
                unsaid.getAndSet(0));
    }
}
