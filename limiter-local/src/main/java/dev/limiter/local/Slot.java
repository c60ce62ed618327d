package dev.limiter.local;

import dev.limiter.Policy;

/** A partition that is kept: its cell, and where it stands in the order of eviction. */
final class Slot {
    /** Calls end sooner, in µs. */
    private static final long UNDER_WAY_MICROS = 1_000_000;

    private static final long NEVER = Long.MIN_VALUE / 2;

    final KeyedHash.Digest digest;
    final Cell cell;

    /** What the cell was counted with when it was last used. */
    long bytes;

    /** When the first unit comes back, in µs; not later than the last use if a unit is there. */
    long spentUntilMicros = Long.MIN_VALUE;

    /** Until when the store does not know all that was admitted here, in µs, so that both must admit. */
    long bothUntilMicros = Long.MIN_VALUE;

    /** The instant of the latest answer of the store, on the store's clock, in µs. */
    private long followedMicros = NEVER;

    /**
     * What is charged because answers of the store have shown it, in the cell's {@linkplain Cell#content measure}: others have taken it,
     * or calls of this process whose answers are still on their way.
     */
    private long shown;

    /** The instant of the latest answer that has shown something, on the store's clock, in µs. */
    private long shownMicros = NEVER;

    /** The place in {@link SpentSlots}; negative if it is in {@link UnspentSlots}. */
    int place = -1;

    /** The neighbours in {@link UnspentSlots}. */
    Slot older;

    Slot younger;

    Slot(KeyedHash.Digest digest, Cell cell) {
        this.digest = digest;
        this.cell = cell;
    }

    /** Whether the store gave an answer after one of this instant, so that the earlier one tells nothing about others any more. */
    boolean isOld(long atMicros) {
        return atMicros < followedMicros && isUnderWay(atMicros, followedMicros);
    }

    /** Whether an answer of this instant was overtaken by one that has shown something: at the same µs it may have been. */
    boolean isOvertaken(long atMicros) {
        return shown > 0 && atMicros <= shownMicros && isUnderWay(atMicros, shownMicros);
    }

    /** What is far earlier was not overtaken: the store's clock has stepped back. */
    private static boolean isUnderWay(long atMicros, long overtakenByMicros) {
        return overtakenByMicros - atMicros < UNDER_WAY_MICROS;
    }

    /** Whether the latest answer was given at an instant, or later. */
    boolean hasPassed(long micros) {
        return micros <= followedMicros;
    }

    /** The latest answer is of this instant. */
    void follows(long atMicros) {
        if (Math.abs(atMicros - followedMicros) >= UNDER_WAY_MICROS) {
            shown = 0; // all calls that it might hold have ended
            shownMicros = NEVER;
        }
        followedMicros = atMicros;
    }

    /** An answer has shown so much more. */
    void shows(long content, long atMicros) {
        if (content > 0) {
            shown += content;
            shownMicros = Math.max(shownMicros, atMicros);
        }
    }

    /** Before more is charged: what was shown and is no longer in the cell, as it was read just before, is forgotten. */
    void charges(Policy policy) {
        if (shown > 0) {
            shown = Math.min(shown, cell.content(policy));
        }
    }

    /** Takes a price, or a part of it, from what was shown; returns what was taken. */
    long takeShown(long price) {
        long taken = Math.min(shown, price);
        shown -= taken;
        return taken;
    }

    boolean hasShown(long price) {
        return shown >= price;
    }

    /** Whether forgetting it changes no decision. */
    boolean isIdle(long nowMicros) {
        return cell.idleAtMicros() <= nowMicros && bothUntilMicros <= nowMicros;
    }
}
