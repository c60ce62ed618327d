package dev.limiter.jaxrs.internal.signals;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * What is known of the nodes of the store, from the transitions of their breakers. A node that never failed is not among them, nor is
 * one that is not asked any more.
 */
public final class StoreState implements RequestSignals {
    private final InstantSource clock;
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private volatile boolean known;

    /**
     * @param reachable whether it is asked
     * @param reason why it is not; empty if it is
     * @param since when that began, on this machine's clock
     */
    public record Node(boolean reachable, String reason, Instant since) {}

    /**
     * @param clock the time of the day, for people
     */
    public StoreState(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void breaker(String node, boolean open, String reason) {
        if (!open && !reason.isEmpty()) {
            nodes.remove(node); // of what is not asked nothing is known
            return;
        }
        nodes.put(node, new Node(!open, reason, clock.instant()));
    }

    /** Only who has a store falls back from it. */
    @Override
    public void fallbackPartitions(LongSupplier partitions) {
        known = true;
    }

    /** Whether there is a store at all: none where limits are in memory, or a limiter of the application's own decides. */
    public boolean isKnown() {
        return known || !nodes.isEmpty();
    }

    /** By node, in the order of their names. */
    public Map<String, Node> nodes() {
        return new TreeMap<>(nodes);
    }
}
