package dev.limiter.local.internal.memory;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Partitions that were spent when they were last used, as a heap by the instant at which a unit
 * comes back. Not thread-safe.
 */
final class SpentPartitions {
    private static final int SMALLEST = 64;

    private final Map<KeyedHash.Digest, PartitionEntry> byDigest = new HashMap<>();
    private PartitionEntry[] heap = new PartitionEntry[SMALLEST];
    private int size;
    private long bytes;

    int size() {
        return size;
    }

    /** The bytes of their states. */
    long bytes() {
        return bytes;
    }

    /** The partition whose unit comes back first; null if there is none. */
    PartitionEntry first() {
        return heap[0];
    }

    /** The partition of this digest; null if it is not there. */
    PartitionEntry of(KeyedHash.Digest digest) {
        return byDigest.get(digest);
    }

    /** Adds a partition; its instant does not change while it is here. */
    void add(PartitionEntry entry) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        byDigest.put(entry.digest, entry);
        bytes += entry.bytes;
        size++;
        rise(entry, size - 1);
    }

    void remove(PartitionEntry entry) {
        byDigest.remove(entry.digest);
        int place = entry.place;
        entry.place = -1;
        bytes -= entry.bytes;
        size--;
        PartitionEntry last = heap[size];
        heap[size] = null;
        if (last != entry) {
            sink(last, place);
            rise(last, last.place);
        }
    }

    private void rise(PartitionEntry entry, int from) {
        int place = from;
        while (place > 0 && entry.spentUntilMicros < heap[(place - 1) / 2].spentUntilMicros) {
            put(heap[(place - 1) / 2], place);
            place = (place - 1) / 2;
        }
        put(entry, place);
    }

    private void sink(PartitionEntry entry, int from) {
        int place = from;
        for (int child = sooner(place); child < size; child = sooner(place)) {
            if (heap[child].spentUntilMicros >= entry.spentUntilMicros) {
                break;
            }
            put(heap[child], place);
            place = child;
        }
        put(entry, place);
    }

    private int sooner(int parent) {
        int left = 2 * parent + 1;
        int right = left + 1;
        return right < size && heap[right].spentUntilMicros < heap[left].spentUntilMicros ? right : left;
    }

    private void put(PartitionEntry entry, int place) {
        heap[place] = entry;
        entry.place = place;
    }
}
