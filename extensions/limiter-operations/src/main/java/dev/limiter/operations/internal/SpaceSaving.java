package dev.limiter.operations.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The most frequent keys of a stream, with a fixed number of counters: the Space-Saving algorithm
 * of Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in
 * Data Streams", ICDT 2005. A key without a counter takes over the least counter, and its count
 * as error.
 *
 * <p>After a total weight of N, each key that has more than N / capacity has a counter. The
 * counts add up to N. The counters are in a heap, since the list of the paper is fast for weights
 * of 1 only. Not safe for use by several threads.
 */
final class SpaceSaving<K> {
    private final Map<K, Counter<K>> counters;

    /**
     * All counters, also unused ones. None counts more than those at twice its place, plus 1 or
     * 2.
     */
    private final List<Counter<K>> heap;

    /**
     * A key with a counter.
     *
     * @param count its weight or more
     * @param error by how much at most; {@code count - error} is certain
     */
    record Entry<K>(K key, long count, long error) {
        static final Comparator<Entry<?>> MOST_FIRST =
                Comparator.<Entry<?>>comparingLong(Entry::count).reversed().thenComparingLong(Entry::error);
    }

    private static final class Counter<K> {
        private K key;
        private long count;
        private long error;
        private int place;
    }

    SpaceSaving(int capacity) {
        counters = new HashMap<>(2 * capacity);
        heap = new ArrayList<>(capacity);
        for (int place = 0; place < capacity; place++) {
            heap.add(new Counter<>());
            heap.get(place).place = place;
        }
    }

    /**
     * Counts a key, in a time that grows with the logarithm of the capacity.
     *
     * @param weight at least 1
     */
    void add(K key, long weight) {
        Counter<K> counter = counters.get(key);
        if (counter == null) {
            counter = heap.get(0);
            counters.remove(counter.key);
            counters.put(key, counter);
            counter.key = key;
            counter.error = counter.count;
        }
        counter.count += weight;
        sink(counter);
    }

    private void sink(Counter<K> counter) {
        int place = counter.place;
        for (int child = 2 * place + 1; child < heap.size(); child = 2 * place + 1) {
            if (child + 1 < heap.size() && heap.get(child + 1).count < heap.get(child).count) {
                child++;
            }
            if (heap.get(child).count >= counter.count) {
                break;
            }
            put(place, heap.get(child));
            place = child;
        }
        put(place, counter);
    }

    private void put(int place, Counter<K> counter) {
        heap.set(place, counter);
        counter.place = place;
    }

    /** {@return at most {@code n} keys, those with the highest counts first} */
    List<Entry<K>> top(int n) {
        return counters.values().stream()
                .map(counter -> new Entry<>(counter.key, counter.count, counter.error))
                .sorted(Entry.MOST_FIRST)
                .limit(n)
                .toList();
    }
}
