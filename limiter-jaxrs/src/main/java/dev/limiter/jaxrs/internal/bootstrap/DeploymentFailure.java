package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.signals.Listeners;
import dev.limiter.jaxrs.internal.signals.LogThrottle;

/**
 * Logs why the limits of an application cannot be in force, and has the health check report it.
 * Some servers go on without them, and hide the reason.
 */
public final class DeploymentFailure {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private final LogThrottle reminders = new LogThrottle(System::nanoTime);
    private volatile String failure;

    /** Notes why the limits cannot be in force, and logs it. */
    public void failed(Throwable why) {
        String said = LogText.ofAll(why.getMessage() == null ? why.toString() : why.getMessage());
        if (!said.equals(failure)) {
            failure = said;
            LOG.log(System.Logger.Level.ERROR, "Limits cannot be put in force: {0}", said);
        }
        tellHealth();
    }

    /** Has the health check report the failure, if CDI has started. */
    public void tellHealth() {
        try {
            Platform.bean(Listeners.class).ifPresent(Listeners::limitsFailed);
        } catch (IllegalStateException starting) {
            // no beans yet: the filter that refuses all requests tells it when it starts
        }
    }

    /** To be called when a request has failed. Logs the reason at most once a minute. */
    public void remind() {
        if (failure != null && reminders.times() > 0) {
            LOG.log(System.Logger.Level.ERROR, "Requests fail, and limits could not be put in force: {0}", failure);
        }
    }
}
