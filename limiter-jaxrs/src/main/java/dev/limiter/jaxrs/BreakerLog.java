package dev.limiter.jaxrs;

import dev.limiter.DurationNotation;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Says when a node of the store is given up, what that means for limits, and when it is back. */
final class BreakerLog implements RequestSignals {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");
    private static final String EXPECTED_NODES = "limiter.expected-nodes";

    private final LongSupplier nanos;
    private final String share;
    private final Map<String, Long> openSince = new ConcurrentHashMap<>();

    /**
     * @param nanos a clock that does not step, in ns
     */
    BreakerLog(Settings settings, LongSupplier nanos) {
        this.nanos = nanos;
        this.share = settings.value(EXPECTED_NODES)
                .map(nodes -> "its share of the limit (" + EXPECTED_NODES + '=' + OneLine.of(nodes) + ')')
                .orElse("the whole limit, so that n processes admit n times as much (" + EXPECTED_NODES
                        + "=n divides it)");
    }

    @Override
    public void breaker(String node, boolean open, String reason) {
        if (open && openSince.putIfAbsent(node, nanos.getAsLong()) == null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The store at {0} is given up until it answers again: {1}. Meanwhile onStoreFailure decides: LOCAL lets"
                            + " each process admit {2}, CLOSED answers 503, OPEN lets pass",
                    OneLine.of(node),
                    OneLine.of(reason),
                    share);
        }
        Long since = open ? null : openSince.remove(node);
        if (since != null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The store at {0} answers again, after {1}, and decides again",
                    OneLine.of(node),
                    DurationNotation.format(Duration.ofMillis((nanos.getAsLong() - since) / 1_000_000)));
        }
    }
}
