package dev.limiter.local;

/** Partitions with at least one unit left when they were last used, in the order of their last use. Not thread-safe. */
final class UnspentSlots {
    /** Stands between the youngest and the eldest. */
    private final Slot ends = new Slot(null, null);

    private Slot next = ends;

    UnspentSlots() {
        clear();
    }

    void addYoungest(Slot slot) {
        slot.older = ends.older;
        slot.younger = ends;
        ends.older.younger = slot;
        ends.older = slot;
    }

    void remove(Slot slot) {
        if (next == slot) {
            next = slot.younger;
        }
        slot.older.younger = slot.younger;
        slot.younger.older = slot.older;
    }

    /** The one longest unused; null if there is none. */
    Slot eldest() {
        return ends.younger == ends ? null : ends.younger;
    }

    /** One after the other, from the eldest to the youngest, and then again; null if there is none. */
    Slot next() {
        if (next == ends) {
            next = ends.younger;
        }
        Slot seen = next;
        next = seen.younger;
        return seen == ends ? null : seen;
    }

    void clear() {
        ends.older = ends;
        ends.younger = ends;
        next = ends;
    }
}
