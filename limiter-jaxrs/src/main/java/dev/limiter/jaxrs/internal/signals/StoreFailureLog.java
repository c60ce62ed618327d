package dev.limiter.jaxrs.internal.signals;

import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.internal.platform.LogText;

/**
 * Logs what could not be given back because the store fails, at most once a minute: an outage
 * must not flood the log. The limiter itself logs the failure and its effect on requests.
 */
public final class StoreFailureLog {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");

    private final LogThrottle pause = new LogThrottle(System::nanoTime);

    /** @param consequence the effect, as half a sentence */
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
