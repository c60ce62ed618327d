package dev.limiter.jaxrs.internal.signals;

import dev.limiter.internal.settings.DurationNotation;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Logs when a node of the store is given up, and when it is back. The fallback logs what that
 * means for limits.
 */
final class BreakerLog implements RequestSignals {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");

    private final LongSupplier nanos;
    private final Map<String, Long> openSince = new ConcurrentHashMap<>();

    /**
     * @param nanos a clock that does not step, in ns
     */
    BreakerLog(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    public void breaker(String node, boolean open, String reason) {
        if (open && openSince.putIfAbsent(node, nanos.getAsLong()) == null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The store at {0} has failed; only a probe asks it until it answers again: {1}",
                    node,
                    reason);
        }
        Long since = open ? null : openSince.remove(node);
        if (since != null && !reason.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, "The store at {0} is not asked any more: {1}", node, reason);
        } else if (since != null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The store at {0} answers again, after {1}, and decides again",
                    node,
                    DurationNotation.format(Duration.ofMillis((nanos.getAsLong() - since) / 1_000_000)));
        }
    }
}
