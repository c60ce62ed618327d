package dev.limiter.local.internal.memory;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.util.HashMap;
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
     * Partitions that are swept for each that may be new: more than one, so that idle ones go
     * faster than new ones come.
     */
    private static final int LOOKS_PER_DEMAND = 2;

    private final KeyedHash hash = KeyedHash.ofRandomKey();
    private final Map<KeyedHash.Digest, PartitionEntry> entries = new HashMap<>();
    private final UnspentPartitions unspent = new UnspentPartitions();
    private final SpentPartitions spent = new SpentPartitions();
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

    /** The partition of a policy and key, made if there is none. */
    public PartitionEntry entry(Policy policy, PartitionKey key) {
        KeyedHash.Digest digest = digest(policy, key);
        PartitionEntry entry = entries.get(digest);
        if (entry == null) {
            entry = new PartitionEntry(digest, PartitionState.of(policy.rules().kind()));
            entry.bytes = BYTES_PER_PARTITION + entry.state.bytes();
            entries.put(digest, entry);
            unspent.addYoungest(entry);
            bytes += entry.bytes;
        }
        return entry;
    }

    /** The partition of a policy and key, or null if there is none. */
    public PartitionEntry existing(Policy policy, PartitionKey key) {
        return entries.get(digest(policy, key));
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
        boolean unchanged =
                spentUntilMicros == entry.spentUntilMicros && entry.bytes == BYTES_PER_PARTITION + entry.state.bytes();
        if (unchanged && entry.place >= 0 && spentUntilMicros > nowMicros) {
            return; // a rejected caller that asks again
        }
        takeOut(entry);
        entry.bytes = BYTES_PER_PARTITION + entry.state.bytes();
        entry.spentUntilMicros = spentUntilMicros;
        bytes += entry.bytes;
        if (spentUntilMicros > nowMicros) {
            spent.add(entry);
        } else {
            unspent.addYoungest(entry);
        }
    }

    private void takeOut(PartitionEntry entry) {
        bytes -= entry.bytes;
        if (entry.place < 0) {
            unspent.remove(entry);
        } else {
            spent.remove(entry);
        }
    }

    private void forget(PartitionEntry entry) {
        takeOut(entry);
        entries.remove(entry.digest);
    }

    /**
     * Forgets idle partitions, and beyond a bound those that are least worth keeping.
     *
     * @param checks how many partitions may be new with the call that follows
     */
    public void sweep(long nowMicros, int checks) {
        for (int looks = LOOKS_PER_DEMAND * checks; looks > 0 && entries.size() > SWEPT_ABOVE; looks--) {
            PartitionEntry next = unspent.next();
            if (next != null && next.isIdle(nowMicros)) {
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
        while (entries.size() > maxPartitions || bytes > maxBytes) {
            forget(leastWorthKeeping(nowMicros));
        }
    }

    private PartitionEntry leastWorthKeeping(long nowMicros) {
        PartitionEntry first = spent.first();
        PartitionEntry eldest = unspent.eldest();
        boolean firstGoes =
                first != null && (first.spentUntilMicros <= nowMicros || eldest == null || spentTakeTooMuch());
        return firstGoes ? first : eldest;
    }

    private boolean spentTakeTooMuch() {
        return spent.size() > maxPartitions - maxPartitions / 4 || spent.bytes() > maxBytes - maxBytes / 4;
    }

    public int size() {
        return entries.size();
    }

    public long bytes() {
        return bytes;
    }

    void clear() {
        entries.clear();
        unspent.clear();
        spent.clear();
        bytes = 0;
    }
}
