package dev.limiter.operations.internal;

import dev.limiter.PartitionKey;
import dev.limiter.operations.internal.SpaceSaving.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The partitions that one policy rejected most on this instance. A slice of 5 minutes has a
 * summary of {@value #COUNTERS} counters. Twelve slices are kept, the present one included, and
 * long keys by their hash, so a policy takes at most 3 MB. Safe for use by several threads.
 */
final class MostRejected {
    static final int COUNTERS = 256;
    private static final int LONGEST_KEY = 256;
    static final long SLICE_NANOS = TimeUnit.MINUTES.toNanos(5);

    /**
     * What {@link #top} looks back on. It includes the present slice, which may have just begun.
     * So it begins up to 5 minutes later than its name says, and never earlier.
     */
    enum Span {
        /** The last 5 to 10 minutes. */
        TEN_MINUTES(2),
        /** The last 55 to 60 minutes. */
        HOUR(12);

        private final int slices;

        Span(int slices) {
            this.slices = slices;
        }
    }

    /** A summary: its counts add up to all rejections of the slice. */
    record Slice(long number, List<Entry<PartitionKey>> entries) {}

    private final LongSupplier nanos;
    private final long begin;
    /** Guards all below. */
    private final ReentrantLock lock = new ReentrantLock();

    final List<Slice> past = new ArrayList<>();
    private SpaceSaving<PartitionKey> present = new SpaceSaving<>(COUNTERS);
    private long number;

    /**
     * @param nanos a clock that does not step, in ns
     */
    MostRejected(LongSupplier nanos) {
        this.nanos = nanos;
        this.begin = nanos.getAsLong();
    }

    void rejected(PartitionKey key) {
        lock.lock();
        try {
            catchUp();
            present.add(kept(key), 1);
        } finally {
            lock.unlock();
        }
    }

    /** A long key is told by its hash, which is the same on all instances. */
    private static PartitionKey kept(PartitionKey key) {
        return key.text().length() <= LONGEST_KEY
                ? key
                : PartitionKey.of("partition", Long.toHexString(key.stableHash()));
    }

    /** Begins a new slice if it is due. */
    private void catchUp() {
        long now = (nanos.getAsLong() - begin) / SLICE_NANOS;
        if (now > number) {
            past.add(new Slice(number, present.top(COUNTERS)));
            past.removeIf(slice -> slice.number() <= now - Span.HOUR.slices);
            present = new SpaceSaving<>(COUNTERS);
            number = now;
        }
    }

    /**
     * {@return at most {@code n} partitions, the most rejected first} They include, as far as
     * {@code n} reaches, each partition that had more than 1 / {@value #COUNTERS} of the
     * rejections.
     */
    List<Entry<PartitionKey>> top(int n, Span span) {
        return merge(entries(span)).limit(n).toList();
    }

    /** {@return the rejections of all partitions} */
    long total(Span span) {
        return entries(span).mapToLong(Entry::count).sum();
    }

    private Stream<Entry<PartitionKey>> entries(Span span) {
        lock.lock();
        try {
            catchUp();
            List<Slice> slices = new ArrayList<>(past);
            slices.add(new Slice(number, present.top(COUNTERS)));
            long before = number - span.slices;
            return slices.stream().filter(slice -> slice.number() > before).flatMap(slice -> slice.entries().stream());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds up the counts and errors of each key over lists, such as those of several instances.
     * {@code count - error} stays certain. A key may have been rejected more often than its count
     * if a list does not have it.
     *
     * @param entries of all lists
     * @return all keys, those with the highest counts first
     */
    static <K> Stream<Entry<K>> merge(Stream<Entry<K>> entries) {
        Map<K, Entry<K>> merged = new HashMap<>();
        entries.forEach(entry -> merged.merge(
                entry.key(), entry, (a, b) -> new Entry<>(a.key(), a.count() + b.count(), a.error() + b.error())));
        return merged.values().stream().sorted(Entry.MOST_FIRST);
    }
}
