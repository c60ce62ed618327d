package dev.limiter.jaxrs;

import dev.limiter.StoreUnavailableException;

/**
 * Says what could not be undone because the store fails, at most once a minute: an outage must not become an outage of the log as
 * well. That it fails, and what becomes of requests, is said by the limiter.
 */
final class StoreFailureLog {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");

    private final OnceAMinute pause = new OnceAMinute(System::nanoTime);

    /**
     * @param consequence what stays as it was, as half a sentence
     */
    void log(StoreUnavailableException failure, String consequence) {
        long times = pause.times();
        if (times > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}; {1}. {2} more failures since the last such message",
                    OneLine.of(failure.getMessage()),
                    consequence,
                    Long.toString(times - 1));
        }
    }
}
