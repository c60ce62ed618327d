package dev.limiter.local;

/** A partition that is kept: its cell, and where it stands in the order of eviction. */
final class Slot {
    final KeyedHash.Digest digest;
    final Cell cell;

    /** What the cell was counted with when it was last used. */
    long bytes;

    /** When the first unit comes back, in µs; not later than the last use if a unit is there. */
    long spentUntilMicros = Long.MIN_VALUE;

    /** Until when the store does not know all that was admitted here, in µs, so that both must admit. */
    long bothUntilMicros = Long.MIN_VALUE;

    /** The place in {@link SpentSlots}; negative if it is in {@link UnspentSlots}. */
    int place = -1;

    /** The neighbours in {@link UnspentSlots}. */
    Slot older;

    Slot younger;

    Slot(KeyedHash.Digest digest, Cell cell) {
        this.digest = digest;
        this.cell = cell;
    }

    /** Whether forgetting it changes no decision. */
    boolean isIdle(long nowMicros) {
        return cell.idleAtMicros() <= nowMicros && bothUntilMicros <= nowMicros;
    }
}
