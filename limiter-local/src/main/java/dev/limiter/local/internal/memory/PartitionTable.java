package dev.limiter.local.internal.memory;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The states by partition, bounded in number and in bytes. A {@linkplain KeyedHash keyed digest}
 * of policy and key identifies a partition. So long keys take no more memory than short ones,
 * and callers cannot make the lookup slow by the keys they choose. Not thread-safe.
 *
 * <p>Beyond a bound partitions are forgotten in this order: first those that have a unit left,
 * the longest unused first; then spent ones, the one whose unit comes back first before the
 * others. At most three quarters of the room are for spent partitions. Otherwise a caller could
 * fill all of it, and no further partition would be counted.
 */
public final class PartitionTable {

    /**
     * Up to this number idle partitions are not swept: they take little memory, and a clock that
     * is set back finds its state.
     */
    public static final int SWEPT_ABOVE = 1_000;

    /** The rough size of an entry without the content of its state, in bytes. */
    static final long BYTES_PER_PARTITION = 300;

    /**
     * Partitions that are looked at for each that may be new: more than one, so that idle ones go
     * faster than new ones come, while fewer than half of all are in use or spent.
     */
    private static final int LOOKS_PER_DEMAND = 2;

    private final KeyedHash hash = KeyedHash.ofRandomKey();

    /**
     * Those that had a unit left when they were last used, in the order of their last use: a get
     * makes its entry the youngest.
     */
    private final Map<KeyedHash.Digest, PartitionEntry> unspent = new LinkedHashMap<>(SWEPT_ABOVE, 0.75f, true);

    private final SpentPartitions spent = new SpentPartitions();

    /** All, each at its own index, so that a sweep goes on where the one before ended. */
    private final List<PartitionEntry> all = new ArrayList<>();

    /** Those from this index on were looked at in this round. */
    private int looked;

    private final long maxPartitions;
    private final long maxBytes;
    private long bytes;

    public PartitionTable(long maxPartitions, long maxBytes) {
        this.maxPartitions = maxPartitions;
        this.maxBytes = maxBytes;
    }

    /**
     * The digest of what identifies a state. Limit, burst and cost do not, since they come with
     * each call.
     */
    private KeyedHash.Digest digest(Policy policy, PartitionKey key) {
        String name = policy.name();
        String text = key.text();
        hash.begin();
        hash.add((long) text.length() << 32
                | (long) name.length() << 16
                | policy.algorithm().ordinal() << 8
                | policy.refill().ordinal());
        hash.add(policy.windowMicros());
        hash.add(name);
        hash.add(text);
        return hash.end();
    }

    /** The state of a partition that was never charged. */
    static PartitionState untouched(Policy policy) {
        return switch (policy.rules().kind()) {
            case FIXED_WINDOW -> new FixedWindowState();
            case SLIDING_WINDOW -> new SlidingWindowState();
            case SLIDING_LOG -> new SlidingLogState();
            case INTERVAL -> new IntervalBucketState();
            case GCRA -> new GcraState();
            case CONCURRENCY -> new ConcurrencyState();
            case GATE -> new GateState();
        };
    }

    /** The partition of a policy and key, made if there is none. */
    public PartitionEntry entry(Policy policy, PartitionKey key) {
        KeyedHash.Digest digest = digest(policy, key);
        PartitionEntry entry = existing(digest);
        if (entry == null) {
            entry = new PartitionEntry(digest.copy(), untouched(policy));
            entry.bytes = BYTES_PER_PARTITION + entry.state.bytes();
            entry.index = all.size();
            all.add(entry);
            unspent.put(entry.digest, entry);
            bytes += entry.bytes;
        }
        return entry;
    }

    /** The partition of a policy and key, or null if there is none. */
    public PartitionEntry existing(Policy policy, PartitionKey key) {
        return existing(digest(policy, key));
    }

    private PartitionEntry existing(KeyedHash.Digest digest) {
        PartitionEntry entry = unspent.get(digest);
        return entry == null ? spent.of(digest) : entry;
    }

    public void remove(Policy policy, PartitionKey key) {
        PartitionEntry entry = existing(policy, key);
        if (entry != null) {
            forget(entry);
        }
    }

    /**
     * Notes that a partition was used.
     *
     * @param spentUntilMicros when the first unit comes back; not after {@code nowMicros} if a
     *     unit is there
     */
    public void used(PartitionEntry entry, long spentUntilMicros, long nowMicros) {
        boolean wasSpent = entry.place >= 0;
        boolean isSpent = spentUntilMicros > nowMicros;
        boolean unchanged =
                spentUntilMicros == entry.spentUntilMicros && entry.bytes == BYTES_PER_PARTITION + entry.state.bytes();
        if (unchanged && wasSpent && isSpent) {
            return; // a rejected caller that asks again
        }
        bytes -= entry.bytes;
        if (wasSpent) {
            spent.remove(entry);
        }
        entry.bytes = BYTES_PER_PARTITION + entry.state.bytes();
        entry.spentUntilMicros = spentUntilMicros;
        bytes += entry.bytes;
        if (isSpent) {
            unspent.remove(entry.digest);
            spent.add(entry);
        } else if (wasSpent) {
            unspent.put(entry.digest, entry);
        }
    }

    private void forget(PartitionEntry entry) {
        bytes -= entry.bytes;
        if (entry.place >= 0) {
            spent.remove(entry);
        } else {
            unspent.remove(entry.digest);
        }
        PartitionEntry last = all.remove(all.size() - 1);
        if (last != entry) {
            last.index = entry.index;
            all.set(last.index, last);
        }
    }

    /**
     * Forgets idle partitions, and beyond a bound those that are least worth keeping.
     *
     * @param checks how many partitions may be new with the call that follows
     */
    public void sweep(long nowMicros, int checks) {
        for (int looks = LOOKS_PER_DEMAND * checks; looks > 0 && all.size() > SWEPT_ABOVE; looks--) {
            looked = (looked == 0 ? all.size() : Math.min(looked, all.size())) - 1;
            PartitionEntry next = all.get(looked);
            if (next.isIdle(nowMicros)) {
                forget(next);
            }
            PartitionEntry first = spent.first();
            if (first != null && first.spentUntilMicros <= nowMicros) {
                if (first.isIdle(nowMicros)) {
                    forget(first);
                } else {
                    used(first, first.spentUntilMicros, nowMicros);
                }
            }
        }
        while (all.size() > maxPartitions || bytes > maxBytes) {
            forget(leastWorthKeeping(nowMicros));
        }
    }

    private PartitionEntry leastWorthKeeping(long nowMicros) {
        PartitionEntry first = spent.first();
        PartitionEntry eldest =
                unspent.isEmpty() ? null : unspent.values().iterator().next();
        boolean tooMany = spent.size() > maxPartitions - maxPartitions / 4 || spent.bytes() > maxBytes - maxBytes / 4;
        boolean firstGoes = first != null && (first.spentUntilMicros <= nowMicros || eldest == null || tooMany);
        return firstGoes ? first : eldest;
    }

    public int size() {
        return all.size();
    }

    public long bytes() {
        return bytes;
    }
}
