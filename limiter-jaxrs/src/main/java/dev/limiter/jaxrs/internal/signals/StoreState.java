package dev.limiter.jaxrs.internal.signals;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The known state of the store's nodes, from the transitions of their breakers. It has no node
 * that never failed, and no node that is not asked any more.
 */
public final class StoreState implements RequestSignals {
    private final InstantSource clock;
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private volatile boolean known;

    /**
     * @param reachable whether the node is asked
     * @param reason why it is not asked; empty if it is
     * @param since when that began, on this machine's clock
     */
    public record Node(boolean reachable, String reason, Instant since) {}

    /** @param clock the time of day */
    public StoreState(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void breaker(String node, boolean open, String reason) {
        if (!open && !reason.isEmpty()) {
            nodes.remove(node); // the state of a node that is not asked is unknown
            return;
        }
        nodes.put(node, new Node(!open, reason, clock.instant()));
    }

    /** Notes that there is a store: a limiter without a store has no fallback. */
    @Override
    public void fallbackPartitions(LongSupplier partitions) {
        known = true;
    }

    /**
     * Whether there is a store. There is none if limits are in memory, or if a limiter of the
     * application decides.
     */
    public boolean isKnown() {
        return known || !nodes.isEmpty();
    }

    /** The states by node, in the order of their names. */
    public Map<String, Node> nodes() {
        return new TreeMap<>(nodes);
    }
}
