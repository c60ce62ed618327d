package dev.limiter.local.internal.memory;

import dev.limiter.CheckResult;
import dev.limiter.Policy;

/** A partition that is kept: its cell, and where it stands in the order of eviction. */
public final class PartitionEntry {
    private static final long NEVER = Long.MIN_VALUE / 2;

    final KeyedHash.Digest digest;
    public final PartitionState cell;

    /** What the cell was counted with when it was last used. */
    long bytes;

    /** When the first unit comes back, in µs; not later than the last use if a unit is there. */
    long spentUntilMicros = Long.MIN_VALUE;

    /** Until when the store does not know all that was admitted here, in µs, so that both must admit. */
    long bothUntilMicros = Long.MIN_VALUE;

    /** The instant of the latest answer of the store, on the store's clock, in µs. */
    private long followedMicros = NEVER;

    /** When the latest answer was written, on the clock of this process, in µs. */
    private long followedOwnMicros = NEVER;

    /** What answers of the store have shown; null if they have shown nothing. */
    private Shown shown;

    /** The place in {@link SpentPartitions}; negative if it is in {@link UnspentPartitions}. */
    int place = -1;

    /** The neighbours in {@link UnspentPartitions}. */
    PartitionEntry older;

    PartitionEntry younger;

    PartitionEntry(KeyedHash.Digest digest, PartitionState cell) {
        this.digest = digest;
        this.cell = cell;
    }

    /**
     * Whether an answer tells nothing about others any more, since a later one was written while its call was under way. The store's
     * clock alone does not tell: it may have stepped back.
     *
     * @param atMicros its instant on the store's clock
     * @param beganMicros when its call began, on the clock of this process
     */
    boolean isOld(long atMicros, long beganMicros) {
        return atMicros < followedMicros && beganMicros <= followedOwnMicros;
    }

    /** Whether an answer is contained in one that was written while its call was under way, and that has shown something. */
    boolean isOvertaken(CheckResult answer, long atMicros, long beganMicros) {
        return shown != null && shown.content > 0 && beganMicros <= shown.ownMicros && shown.isAfter(answer, atMicros);
    }

    /** Whether the latest answer was given at an instant, or later. */
    boolean hasPassed(long micros) {
        return micros <= followedMicros;
    }

    /** The latest answer is of this instant, and is written now. */
    void follows(long atMicros, long nowMicros) {
        followedMicros = atMicros;
        followedOwnMicros = nowMicros;
    }

    /** An answer has shown so much more. */
    void shows(long content, CheckResult answer, long atMicros, long nowMicros) {
        if (content > 0) {
            shown = new Shown(content + (shown == null ? 0 : shown.content), answer, atMicros, nowMicros);
        }
    }

    /** Before more is charged: what was shown and is no longer in the cell, as it was read just before, is forgotten. */
    void charges(Policy policy) {
        if (shown != null) {
            shown.content = Math.min(shown.content, cell.content(policy));
        }
    }

    /** Takes a price, or a part of it, from what was shown; returns what was taken. */
    long takeShown(long price) {
        long taken = shown == null ? 0 : Math.min(shown.content, price);
        if (taken > 0) {
            shown.content -= taken;
        }
        return taken;
    }

    boolean hasShown(long price) {
        return shown != null && shown.content >= price;
    }

    /** Whether forgetting it changes no decision. */
    boolean isIdle(long nowMicros) {
        return cell.idleAtMicros() <= nowMicros && bothUntilMicros <= nowMicros;
    }

    /**
     * What is charged because answers of the store have shown it: others have taken it, or calls of this process whose answers are still
     * on their way.
     */
    private static final class Shown {
        private final long atMicros;
        private final long ownMicros;
        private final long remaining;
        private final long resetAfterMicros;
        private final boolean isRejection;

        /** In the cell's {@linkplain PartitionState#content measure}. */
        private long content;

        /** @param answer the latest that has shown something */
        Shown(long content, CheckResult answer, long atMicros, long ownMicros) {
            this.content = content;
            this.atMicros = atMicros;
            this.ownMicros = ownMicros;
            this.remaining = answer.remaining();
            this.resetAfterMicros = answer.resetAfterMicros();
            this.isRejection = !answer.admitted();
        }

        /** At the same µs, the later of two answers leaves less, or is a rejection that leaves as much. */
        boolean isAfter(CheckResult answer, long micros) {
            if (micros != atMicros) {
                return micros < atMicros;
            }
            if (answer.remaining() != remaining) {
                return answer.remaining() > remaining;
            }
            return isRejection || answer.resetAfterMicros() < resetAfterMicros;
        }
    }
}
