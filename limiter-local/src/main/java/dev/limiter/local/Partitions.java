package dev.limiter.local;

import dev.limiter.Algorithm;
import dev.limiter.Demand;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The cells by partition, bounded in number and in bytes: beyond that the ones longest unused are forgotten. Not thread-safe. */
final class Partitions {

    /** Up to here idle partitions are left alone: the memory is not worth the looking, and a clock set back finds its state. */
    static final int SWEPT_ABOVE = 1_000;

    /** Idle partitions looked for on each call: more than one, so that they go faster than they come. */
    private static final int SWEPT_PER_CALL = 2;

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
            // A lease knows its own length.
            long window = policy.algorithm() == Algorithm.CONCURRENCY ? 0 : policy.windowMicros();
            return new Partition(policy.name(), policy.algorithm(), policy.refill(), window, key);
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

    /** Forgets from the longest unused on: those that are idle, and as many more as are above a bound. */
    void sweep(long nowMicros) {
        Iterator<Map.Entry<Partition, Cell>> longestUnused = cells.entrySet().iterator();
        for (int looked = 0; longestUnused.hasNext() && worthLooking(looked); looked++) {
            Map.Entry<Partition, Cell> entry = longestUnused.next();
            if (entry.getValue().idleAtMicros() <= nowMicros || isFull()) {
                bytes -= entry.getKey().bytes() + entry.getValue().bytes();
                longestUnused.remove();
            }
        }
    }

    private boolean worthLooking(int looked) {
        return isFull() || cells.size() > SWEPT_ABOVE && looked < SWEPT_PER_CALL;
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
