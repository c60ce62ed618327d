package dev.limiter.jaxrs.internal.signals;

import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.internal.text.LogText;

/**
 * Says what could not be undone because the store fails, at most once a minute: an outage must not become an outage of the log as
 * well. That it fails, and what becomes of requests, is said by the limiter.
 */
public final class StoreFailureLog {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");

    private final LogThrottle pause = new LogThrottle(System::nanoTime);

    /**
     * @param consequence what stays as it was, as half a sentence
     */
    public void log(StoreUnavailableException failure, String consequence) {
        long times = pause.times();
        if (times > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}; {1}. {2} more failures since the last such message",
                    LogText.of(failure.getMessage()),
                    consequence,
                    Long.toString(times - 1));
        }
    }
}
