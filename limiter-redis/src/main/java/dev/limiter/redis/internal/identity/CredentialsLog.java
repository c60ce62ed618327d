package dev.limiter.redis.internal.identity;

import dev.limiter.spi.CredentialsSource.Credentials;
import dev.limiter.spi.Signals;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts each failure of a source of credentials. Logs each cause once until the source answers
 * again, and at most once a minute.
 */
final class CredentialsLog {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String source;
    private final Signals signals;
    private final LongSupplier nanos;
    private final Map<String, Long> said = new ConcurrentHashMap<>();

    CredentialsLog(String source, Signals signals, LongSupplier nanos) {
        this.source = source;
        this.signals = signals;
        this.nanos = nanos;
    }

    /**
     * @param why without a password
     * @param last that stay in force; null if there are none
     */
    void failed(String why, Credentials last) {
        if (said.putIfAbsent(why, nanos.getAsLong()) == null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} gave no usable credentials for Redis: {1}. {2}. It will be called again",
                    source,
                    why,
                    inForce(last));
        }
        signals.happened(
                Signals.Incident.CREDENTIALS_FAILURES); // last, so that who hears it finds the reason in the log
    }

    private static String inForce(Credentials last) {
        if (last == null) {
            return "There are none yet, so no connection is opened";
        }
        return "The last ones stay in force, " + (last.until() == null ? "without an end" : "until " + last.until());
    }

    void answered() {
        long now = nanos.getAsLong();
        said.values().removeIf(then -> now - then >= MINUTE_NANOS);
    }
}
