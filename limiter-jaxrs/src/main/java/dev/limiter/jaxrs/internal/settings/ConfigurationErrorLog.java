package dev.limiter.jaxrs.internal.settings;

import dev.limiter.InvalidPolicyException;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.jaxrs.internal.signals.LogThrottle;
import dev.limiter.spi.InvalidSettingException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Logs mistakes in a configuration that is read repeatedly. A mistake is logged when it is new,
 * and again when it comes back. An exception of a source, whose text may differ each time, is
 * logged at most once a minute.
 */
final class ConfigurationErrorLog {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private final LogThrottle failing;
    private Set<String> lastTime = Set.of();
    private Set<String> thisTime = new HashSet<>();

    /**
     * @param nanos a clock that does not step, in ns
     */
    ConfigurationErrorLog(LongSupplier nanos) {
        this.failing = new LogThrottle(nanos);
    }

    /** A reading begins. */
    synchronized void nextReading() {
        lastTime = thisTime;
        thisTime = new HashSet<>();
    }

    /** Logs a mistake that was found while reading. */
    synchronized void log(RuntimeException unreadable) {
        boolean ours = isOurs(unreadable);
        String said = ours ? LogText.ofAll(unreadable.getMessage()) : LogText.of(unreadable.toString());
        boolean isNew = ours ? thisTime.add(said) && !lastTime.contains(said) : failing.times() > 0;
        if (isNew) {
            LOG.log(System.Logger.Level.WARNING, "{0}; the old settings stay", said);
        }
    }

    private static boolean isOurs(RuntimeException unreadable) {
        return unreadable instanceof InvalidSettingException
                || unreadable instanceof InvalidPolicyException
                || unreadable instanceof RateLimitDeploymentException;
    }
}
