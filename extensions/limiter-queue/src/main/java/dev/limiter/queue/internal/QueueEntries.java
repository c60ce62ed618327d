package dev.limiter.queue.internal;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a queue in memory holds, and which entries have left it. The caller holds its lock. */
public final class QueueEntries {
    /** In the order of their numbers. */
    final TreeMap<Long, Entry> waiting = new TreeMap<>();

    /** Who has been held longest first. */
    final TreeSet<Entry> held = new TreeSet<>(
            Comparator.comparingLong((Entry entry) -> entry.sinceMicros).thenComparingLong(entry -> entry.number));

    final Set<Long> done = new LinkedHashSet<>();
    final Set<Long> dead = new LinkedHashSet<>();
    private long last;

    /** Of those that are held, instants must not change. */
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

    /** How long the first that waits has; 0 if none does. */
    long ageMicros(long now) {
        return waiting.isEmpty() ? 0 : Math.max(0, now - waiting.firstKey());
    }

    /** Puts an entry behind all others; says its number. */
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
     * The clock has stepped back if a hold began later than now: it begins now, or it would last until the clock is back.
     *
     * @param most so many at once, the earliest first
     */
    void mendHolds(long now, int most) {
        held.tailSet(heldLastAt(now), false).stream().limit(most).toList().forEach(ahead -> {
            held.remove(ahead);
            ahead.sinceMicros = now;
            held.add(ahead);
        });
    }

    /** Behind all that are held since then. */
    private static Entry heldLastAt(long micros) {
        Entry last = new Entry(Long.MAX_VALUE, "");
        last.sinceMicros = micros;
        return last;
    }

    /** Takes an entry from the consumer that holds it; false if no consumer does. */
    boolean release(long number) {
        return held.removeIf(entry -> entry.number == number);
    }

    /** Writes down who has left, and forgets the first of more than are remembered. */
    static void remember(Set<Long> left, long number, int remembered) {
        left.add(number);
        while (left.size() > remembered) {
            left.remove(left.iterator().next());
        }
    }
}
