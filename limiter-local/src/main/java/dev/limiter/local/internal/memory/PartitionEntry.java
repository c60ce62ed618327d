package dev.limiter.local.internal.memory;

import dev.limiter.CheckResult;
import dev.limiter.Policy;

/** A partition that is kept: its state, and its place in the order of eviction. */
public final class PartitionEntry {
    private static final long NEVER = Long.MIN_VALUE / 2;

    final KeyedHash.Digest digest;
    public final PartitionState state;

    /** The bytes with which the state was counted when it was last used. */
    long bytes;

    /** When the first unit comes back, in µs; not later than the last use if a unit is there. */
    long spentUntilMicros = Long.MIN_VALUE;

    /**
     * The instant until which both must admit, in µs, because the store does not know all that
     * was admitted here.
     */
    long bothUntilMicros = Long.MIN_VALUE;

    /** The instant of the latest result of the store, on the store's clock, in µs. */
    private long followedMicros = NEVER;

    /** When the latest result was recorded, on the clock of this process, in µs. */
    private long followedOwnMicros = NEVER;

    /** Units that results of the store have shown; null if there are none. */
    private Shown shown;

    /** Where {@link PartitionTable} has it among all. */
    int index;

    /** The place in {@link SpentPartitions}; negative if it is not there. */
    int place = -1;

    PartitionEntry(KeyedHash.Digest digest, PartitionState state) {
        this.digest = digest;
        this.state = state;
    }

    /**
     * Whether a result is outdated, since a later one was recorded while its call was under way.
     * The store's clock alone does not tell: it may have stepped back.
     *
     * @param atMicros its instant on the store's clock
     * @param beganMicros when its call began, on the clock of this process
     */
    boolean isOld(long atMicros, long beganMicros) {
        return atMicros < followedMicros && beganMicros <= followedOwnMicros;
    }

    /**
     * Whether a later result, recorded while the call of this one was under way, has already
     * shown its units.
     */
    boolean isOvertaken(CheckResult result, long atMicros, long beganMicros) {
        return shown != null && shown.content > 0 && beganMicros <= shown.ownMicros && shown.isAfter(result, atMicros);
    }

    /** Whether the latest result is of this instant, or of a later one. */
    boolean hasPassed(long micros) {
        return micros <= followedMicros;
    }

    /**
     * Notes the latest result: its instant on the store's clock, and when it is recorded, on the
     * clock of this process.
     */
    void follows(long atMicros, long ownMicros) {
        followedMicros = atMicros;
        followedOwnMicros = ownMicros;
    }

    /** Adds units that a result has shown. */
    void shows(long content, CheckResult result, long atMicros, long ownMicros) {
        if (content > 0) {
            shown = new Shown(content + (shown == null ? 0 : shown.content), result, atMicros, ownMicros);
        }
    }

    /**
     * Forgets shown units that are no longer in the state, as it was read just before. To be
     * called before a charge.
     */
    void charges(Policy policy) {
        if (shown != null) {
            shown.content = Math.min(shown.content, state.content(policy));
        }
    }

    /** Takes a price, or a part of it, from the shown units; returns what was taken. */
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
        return state.idleAtMicros() <= nowMicros && bothUntilMicros <= nowMicros;
    }

    /**
     * Units that are charged because results of the store have shown them. Other processes took
     * them, or calls of this process whose results are still on their way.
     */
    private static final class Shown {
        private final long atMicros;
        private final long ownMicros;
        private final long remaining;
        private final long resetAfterMicros;
        private final boolean isRejection;

        /** In the state's {@linkplain PartitionState#content measure}. */
        private long content;

        /** @param result the latest result that has shown something */
        Shown(long content, CheckResult result, long atMicros, long ownMicros) {
            this.content = content;
            this.atMicros = atMicros;
            this.ownMicros = ownMicros;
            this.remaining = result.remaining();
            this.resetAfterMicros = result.resetAfterMicros();
            this.isRejection = !result.admitted();
        }

        /**
         * Whether this result is later. At the same µs, the later of two results leaves less, or
         * is a rejection that leaves as much.
         */
        boolean isAfter(CheckResult result, long micros) {
            if (micros != atMicros) {
                return micros < atMicros;
            }
            if (result.remaining() != remaining) {
                return result.remaining() > remaining;
            }
            return isRejection || result.resetAfterMicros() < resetAfterMicros;
        }
    }
}
