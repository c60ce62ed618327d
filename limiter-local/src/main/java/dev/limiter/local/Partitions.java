package dev.limiter.local;

import dev.limiter.Algorithm;
import dev.limiter.Demand;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import java.util.LinkedHashMap;
import java.util.Map;

/** The cells by partition, bounded in number and in bytes: beyond that the ones longest unused are forgotten. Not thread-safe. */
final class Partitions {

    /** Up to here idle partitions are left alone: the memory is not worth the looking, and a clock set back finds its state. */
    static final int SWEPT_ABOVE = 1_000;

    /** Partitions looked at for each that may be new: more than one, so that idle ones go faster than others come. */
    private static final int LOOKS_PER_DEMAND = 2;

    /** What an entry takes besides its key's text and its cell's content, roughly. */
    private static final long BYTES_PER_PARTITION = 300;

    private final LinkedHashMap<Partition, Cell> cells = new LinkedHashMap<>(64, 0.75f, true);
    private final long maxPartitions;
    private final long maxBytes;
    private long bytes;

    Partitions(long maxPartitions, long maxBytes) {
        this.maxPartitions = maxPartitions;
        this.maxBytes = maxBytes;
    }

    /** What tells one state from another: never limit, burst or cost, which come with each call. */
    private record Partition(String policy, Algorithm algorithm, Refill refill, long windowMicros, PartitionKey key) {
        static Partition of(Policy policy, PartitionKey key) {
            return new Partition(policy.name(), policy.algorithm(), policy.refill(), policy.windowMicros(), key);
        }

        long bytes() {
            return BYTES_PER_PARTITION + 2L * key.text().length();
        }
    }

    /** The cell of a demand, made if there is none. */
    Cell cell(Demand demand) {
        Partition partition = Partition.of(demand.policy(), demand.key());
        Cell cell = cells.get(partition);
        if (cell == null) {
            cell = Cell.of(demand.policy());
            cells.put(partition, cell);
            bytes += partition.bytes() + cell.bytes();
        }
        return cell;
    }

    /** The cell of a policy and key, or null if there is none. */
    Cell existing(Policy policy, PartitionKey key) {
        return cells.get(Partition.of(policy, key));
    }

    void remove(Policy policy, PartitionKey key) {
        Partition partition = Partition.of(policy, key);
        Cell removed = cells.remove(partition);
        if (removed != null) {
            bytes -= partition.bytes() + removed.bytes();
        }
    }

    /** To be told after a cell has changed, and what it took before. */
    void resized(Cell cell, long before) {
        bytes += cell.bytes() - before;
    }

    /**
     * Forgets what is idle, looking at the longest unused; what is not idle moves on, as if it had been used, so that the next
     * look finds another. Beyond a bound the longest unused goes in any case.
     *
     * @param demands how many partitions may be new with the call that follows
     */
    void sweep(long nowMicros, int demands) {
        int looks = cells.size() > SWEPT_ABOVE ? LOOKS_PER_DEMAND * demands : 0;
        for (int looked = 0; !cells.isEmpty() && (looked < looks || isFull()); looked++) {
            Map.Entry<Partition, Cell> eldest = cells.entrySet().iterator().next();
            Partition partition = eldest.getKey();
            if (eldest.getValue().idleAtMicros() <= nowMicros || isFull() && looked >= looks) {
                bytes -= partition.bytes() + cells.remove(partition).bytes();
            } else {
                cells.get(partition);
            }
        }
    }

    private boolean isFull() {
        return cells.size() > maxPartitions || bytes > maxBytes;
    }

    int size() {
        return cells.size();
    }

    long bytes() {
        return bytes;
    }

    void clear() {
        cells.clear();
        bytes = 0;
    }
}
