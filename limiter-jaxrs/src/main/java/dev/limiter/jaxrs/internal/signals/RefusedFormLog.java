package dev.limiter.jaxrs.internal.signals;

import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import java.util.function.LongSupplier;

/**
 * Logs at most once a minute how many forms were refused, and why the last one was. The log has
 * no content of a form.
 */
public final class RefusedFormLog {
    private static final System.Logger LOG = System.getLogger("dev.limiter.decision");

    private final LogThrottle pause;

    /**
     * @param nanos a clock that does not step, in ns
     */
    public RefusedFormLog(LongSupplier nanos) {
        this.pause = new LogThrottle(nanos);
    }

    public void log(UnreadableFormException refused) {
        long times = pause.times();
        if (times > 0) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "{0} forms refused since the last such line; the last one with {1}: {2}",
                    Long.toString(times),
                    refused.status(),
                    refused.getMessage());
        }
    }
}
