package dev.limiter.local.internal.memory;

/**
 * Instants that never fall from the oldest to the youngest. Grows as needed, and gives back what
 * it does not need.
 */
final class InstantRing {
    private static final int SMALLEST = 8;

    private long[] instants = new long[SMALLEST];
    private int head;
    private int size;

    int size() {
        return size;
    }

    long bytes() {
        return 8L * instants.length;
    }

    /** The instant at this place, counted from the oldest. */
    long at(int index) {
        return instants[(head + index) & (instants.length - 1)];
    }

    long youngest() {
        return at(size - 1);
    }

    /** How many are not later than an instant, by binary search. */
    int countUpTo(long instant) {
        int outside = -1;
        int inside = size;
        while (inside - outside > 1) {
            int middle = (outside + inside) >>> 1;
            if (at(middle) <= instant) {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        return inside;
    }

    void append(long instant) {
        if (size == instants.length) {
            resize(2 * size);
        }
        instants[(head + size) & (instants.length - 1)] = instant;
        size++;
    }

    void dropOldest(int count) {
        head = (head + count) & (instants.length - 1);
        size -= count;
        shrink();
    }

    /** Removes up to so many of exactly this instant. */
    int removeYoungest(long instant, long count) {
        int behind = countUpTo(instant);
        int first = countUpTo(instant - 1);
        int removed = (int) Math.min(count, behind - first);
        for (int i = behind; i < size; i++) {
            instants[(head + i - removed) & (instants.length - 1)] = at(i);
        }
        size -= removed;
        shrink();
        return removed;
    }

    /** Replaces all instants by this number of equal ones. */
    void refill(int count, long instant) {
        size = 0;
        for (int i = 0; i < count; i++) {
            append(instant);
        }
        shrink();
    }

    private void shrink() {
        int needed = instants.length;
        while (needed > SMALLEST && size <= needed / 8) {
            needed /= 2;
        }
        if (needed < instants.length) {
            resize(needed);
        }
    }

    private void resize(int length) {
        long[] moved = new long[length];
        for (int i = 0; i < size; i++) {
            moved[i] = at(i);
        }
        instants = moved;
        head = 0;
    }
}
