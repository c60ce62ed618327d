package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.Concurrency;
import dev.limiter.internal.algorithm.StateSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Leases by name, and by expiry: {@code lua/algorithm/concurrency.lua}. */
final class ConcurrencyState implements PartitionState {
    private static final long BYTES_PER_LEASE = 300;

    /** The most expired leases that one admission prunes. */
    private static final int PRUNED_AT_ONCE = 16;

    private final Map<String, Lease> byName = new HashMap<>();
    private final TreeSet<Lease> byExpiry =
            new TreeSet<>(Comparator.comparingLong(Lease::expiryMicros).thenComparing(Lease::name));

    /**
     * How many leases had expired at {@link #countedMicros}, so that only later ones need be
     * counted.
     */
    private long expired;

    private long countedMicros = Long.MIN_VALUE;

    private record Lease(String name, long expiryMicros) {
        /**
         * A bound in the order of leases: after all that expire at this instant or before it,
         * before all others.
         */
        static Lease after(long micros) {
            return new Lease("", micros + 1);
        }
    }

    @Override
    public StateSnapshot read(Check check, long nowMicros, boolean peek) {
        long furthest = nowMicros + check.policy().windowMicros();
        if (!peek && !byExpiry.isEmpty() && byExpiry.last().expiryMicros() > furthest) {
            cut(furthest);
        }
        count(nowMicros);
        long live = byExpiry.size() - expired;
        Lease own = byName.get(check.lease());
        boolean held = own != null && own.expiryMicros() > nowMicros;
        return new Concurrency.Snapshot(held || live < check.policy().limit(), live, held);
    }

    @Override
    public void charge(Check check, long nowMicros) {
        put(new Lease(check.lease(), nowMicros + check.policy().windowMicros()));
        for (int pruned = 0; pruned < PRUNED_AT_ONCE && byExpiry.first().expiryMicros() <= nowMicros; pruned++) {
            remove(byExpiry.first().name());
        }
    }

    @Override
    public void debt(Policy policy, long units, long nowMicros) {
        throw new IllegalStateException("nothing can be charged to leases");
    }

    @Override
    public boolean refund(Check check, StateSnapshot then, long thenMicros, long nowMicros) {
        Lease removed = remove(check.lease());
        return removed != null && removed.expiryMicros() > nowMicros;
    }

    @Override
    public long idleAtMicros() {
        return byExpiry.isEmpty() ? Long.MIN_VALUE : byExpiry.last().expiryMicros();
    }

    @Override
    public long bytes() {
        return BYTES_PER_LEASE * byExpiry.size();
    }

    private void count(long nowMicros) {
        if (nowMicros < countedMicros) {
            expired = byExpiry.headSet(Lease.after(nowMicros)).size();
        } else if (nowMicros > countedMicros) {
            Lease from = Lease.after(countedMicros);
            expired += byExpiry.subSet(from, Lease.after(nowMicros)).size();
        }
        countedMicros = nowMicros;
    }

    /**
     * Cuts leases that last longer than a lease can: they were written before the clock stepped
     * back.
     */
    private void cut(long furthestMicros) {
        List<Lease> ahead = new ArrayList<>(byExpiry.tailSet(Lease.after(furthestMicros)));
        ahead.forEach(lease -> put(new Lease(lease.name(), furthestMicros)));
    }

    /**
     * Adds a lease. It expires later than those that were counted, except after a step back of
     * the clock: then all are counted anew.
     */
    private void put(Lease lease) {
        remove(lease.name());
        byName.put(lease.name(), lease);
        byExpiry.add(lease);
    }

    private Lease remove(String name) {
        Lease removed = byName.remove(name);
        if (removed != null) {
            byExpiry.remove(removed);
            expired -= removed.expiryMicros() <= countedMicros ? 1 : 0;
        }
        return removed;
    }
}
