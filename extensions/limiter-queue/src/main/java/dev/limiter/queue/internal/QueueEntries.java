package dev.limiter.queue.internal;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The entries of a queue in memory, and those that have left it. The caller holds the queue's
 * lock.
 */
public final class QueueEntries {
    /** Waiting entries in the order of their numbers. */
    final TreeMap<Long, Entry> waiting = new TreeMap<>();

    /** Held entries, the longest held first. */
    final TreeSet<Entry> held = new TreeSet<>(
            Comparator.comparingLong((Entry entry) -> entry.sinceMicros).thenComparingLong(entry -> entry.number));

    final Set<Long> done = new LinkedHashSet<>();
    final Set<Long> dead = new LinkedHashSet<>();
    private long last;

    /** An entry. Its instant must not change while it is held. */
    static final class Entry {
        final long number;
        final String payload;
        long sinceMicros;
        int deliveries;

        Entry(long number, String payload) {
            this.number = number;
            this.payload = payload;
        }
    }

    long length() {
        return (long) waiting.size() + held.size();
    }

    /** How long the first waiting entry has waited; 0 if none waits. */
    long ageMicros(long now) {
        return waiting.isEmpty() ? 0 : Math.max(0, now - waiting.firstKey());
    }

    /** Puts an entry behind all others, and returns its number. */
    long add(long now, String payload) {
        last = Math.max(now, last + 1);
        waiting.put(last, new Entry(last, payload));
        return last;
    }

    /** Gives an entry to the caller. */
    Entry deliver(Entry entry, long now) {
        entry.sinceMicros = now;
        entry.deliveries++;
        held.add(entry);
        return entry;
    }

    /**
     * Repairs holds that began later than now, because the clock has stepped back. They begin
     * now; otherwise they would last until the clock catches up.
     *
     * @param most how many at once, the earliest first
     */
    void mendHolds(long now, int most) {
        held.tailSet(heldLastAt(now), false).stream().limit(most).toList().forEach(ahead -> {
            held.remove(ahead);
            ahead.sinceMicros = now;
            held.add(ahead);
        });
    }

    /** A bound behind all entries held since this instant. */
    private static Entry heldLastAt(long micros) {
        Entry last = new Entry(Long.MAX_VALUE, "");
        last.sinceMicros = micros;
        return last;
    }

    /** Takes an entry from the consumer that holds it; false if no consumer does. */
    boolean release(long number) {
        return held.removeIf(entry -> entry.number == number);
    }

    /**
     * Notes that an entry has left, and forgets the oldest beyond the number that is remembered.
     */
    static void remember(Set<Long> left, long number, int remembered) {
        left.add(number);
        while (left.size() > remembered) {
            left.remove(left.iterator().next());
        }
    }
}
