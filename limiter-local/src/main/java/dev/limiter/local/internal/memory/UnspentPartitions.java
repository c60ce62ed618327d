package dev.limiter.local.internal.memory;

/**
 * Partitions with at least one unit left when they were last used, in the order of their last
 * use. Not thread-safe.
 */
final class UnspentPartitions {
    /** The end of the ring, between the youngest and the eldest. */
    private final PartitionEntry ends = new PartitionEntry(null, null);

    private PartitionEntry next = ends;

    UnspentPartitions() {
        clear();
    }

    void addYoungest(PartitionEntry entry) {
        entry.older = ends.older;
        entry.younger = ends;
        ends.older.younger = entry;
        ends.older = entry;
    }

    void remove(PartitionEntry entry) {
        if (next == entry) {
            next = entry.younger;
        }
        entry.older.younger = entry.younger;
        entry.younger.older = entry.older;
    }

    /** The longest unused partition; null if there is none. */
    PartitionEntry eldest() {
        return ends.younger == ends ? null : ends.younger;
    }

    /**
     * The next partition, from the eldest to the youngest, and then from the beginning; null if
     * there is none.
     */
    PartitionEntry next() {
        if (next == ends) {
            next = ends.younger;
        }
        PartitionEntry seen = next;
        next = seen.younger;
        return seen == ends ? null : seen;
    }

    void clear() {
        ends.older = ends;
        ends.younger = ends;
        next = ends;
    }
}
