package dev.limiter.model;

import dev.limiter.Check;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The leases in flight, by name. */
record Leases(Map<String, Lease> byName) implements State {
    static final Leases FRESH = new Leases(Map.of());

    /** The most leases that an admission clears away which have expired. */
    private static final int MOST_CLEARED = 16;

    /** A lease with its length: another call may bring another length. */
    record Lease(long expiryMicros, long lengthMicros) {

        boolean isLive(long nowMicros) {
            return expiryMicros > nowMicros;
        }

        boolean isTooFar(long nowMicros) {
            return expiryMicros > nowMicros + lengthMicros;
        }
    }

    @Override
    public Leases repaired(Check check, long nowMicros) {
        if (byName.values().stream().noneMatch(lease -> lease.isTooFar(nowMicros))) {
            return this;
        }
        Map<String, Lease> repaired = new TreeMap<>(byName);
        repaired.replaceAll((name, lease) ->
                lease.isTooFar(nowMicros) ? new Lease(nowMicros + lease.lengthMicros, lease.lengthMicros) : lease);
        return new Leases(repaired);
    }

    @Override
    public boolean fits(Check check, long nowMicros) {
        return isLive(check.lease(), nowMicros) || holds(1, check, nowMicros);
    }

    /** Whether this number of new leases would be given. */
    @Override
    public boolean holds(long units, Check check, long nowMicros) {
        long live = 0;
        for (Lease lease : byName.values()) {
            live += lease.isLive(nowMicros) ? 1 : 0;
        }
        return live + units <= check.policy().limit();
    }

    @Override
    public Leases taken(Check check, long nowMicros) {
        long length = check.policy().windowMicros();
        Map<String, Lease> after = new TreeMap<>(byName);
        after.put(check.lease(), new Lease(nowMicros + length, length));
        List<String> expired = after.entrySet().stream()
                .filter(entry -> !entry.getValue().isLive(nowMicros))
                .sorted(Comparator.comparingLong(entry -> entry.getValue().expiryMicros))
                .limit(MOST_CLEARED)
                .map(Map.Entry::getKey)
                .toList();
        after.keySet().removeAll(expired);
        return new Leases(after);
    }

    @Override
    public Charged charged(long units, Check check, long nowMicros) {
        throw new IllegalArgumentException("a lease cannot be charged afterwards");
    }

    @Override
    public Refunded refunded(Check check, State then, long nowMicros) {
        Map<String, Lease> rest = new TreeMap<>(byName);
        rest.remove(check.lease());
        return new Refunded(new Leases(rest), isLive(check.lease(), nowMicros));
    }

    private boolean isLive(String name, long nowMicros) {
        Lease lease = byName.get(name);
        return lease != null && lease.isLive(nowMicros);
    }
}
