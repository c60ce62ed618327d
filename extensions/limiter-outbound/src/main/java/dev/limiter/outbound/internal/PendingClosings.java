package dev.limiter.outbound.internal;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Enforcement;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Closings of gates that the store could not be told. The store is told the rest of a closing
 * before it is asked for the next call of that partition. Beyond {@value #MOST} closings the
 * latest are lost.
 */
public final class PendingClosings {
    private static final int MOST = 1_000;

    private final Map<Gate, Long> openNanos = new ConcurrentHashMap<>();
    private final LongSupplier nanos;

    private record Gate(String policy, PartitionKey key) {
        static Gate of(Check check) {
            return new Gate(check.policy().name(), check.key());
        }
    }

    /**
     * @param nanos a clock that does not step, in ns
     */
    public PendingClosings(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Notes a closing. A shorter closing does not replace a longer one, and a shadow closes
     * nothing.
     */
    public void add(Check check, Duration span) {
        if (check.policy().enforcement() == Enforcement.SHADOW) {
            return;
        }
        long now = nanos.getAsLong();
        if (openNanos.size() >= MOST) {
            openNanos.values().removeIf(opens -> opens - now <= 0);
        }
        Gate gate = Gate.of(check);
        if (openNanos.size() < MOST || openNanos.containsKey(gate)) {
            Duration longest = Policy.LONGEST_CLOSING;
            long opens = now + (span.compareTo(longest) < 0 ? span : longest).toNanos();
            openNanos.merge(gate, opens, (one, other) -> one - other >= 0 ? one : other);
        }
    }

    public boolean concern(CheckGroup asked) {
        return !openNanos.isEmpty() && asked.checks().stream().anyMatch(check -> openNanos.containsKey(Gate.of(check)));
    }

    /**
     * @throws StoreUnavailableException if it still cannot be told
     */
    public void tell(RateLimiter limiter, CheckGroup asked) {
        if (openNanos.isEmpty()) {
            return;
        }
        for (Check check : asked.checks()) {
            Gate gate = Gate.of(check);
            Long opens = openNanos.get(gate);
            if (opens != null) {
                long left = opens - nanos.getAsLong();
                limiter.closeGate(check.policy(), check.key(), Duration.ofNanos(Math.max(0, left)));
                openNanos.remove(gate, opens); // unless it was closed for longer meanwhile
            }
        }
    }
}
