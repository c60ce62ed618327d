package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.StateKind;
import dev.limiter.spi.algorithm.StateSnapshot;

/**
 * The state of one partition under one policy: read first, charged only when the whole group fits. Each follows the rules of
 * its file in {@code lua/}. Not thread-safe.
 */
public interface PartitionState {

    /** An untouched state. */
    static PartitionState of(StateKind kind) {
        return switch (kind) {
            case FIXED_WINDOW -> new FixedWindowState();
            case SLIDING_WINDOW -> new SlidingWindowState();
            case SLIDING_LOG -> new SlidingLogState();
            case INTERVAL -> new IntervalBucketState();
            case GCRA -> new GcraState();
            case CONCURRENCY -> new ConcurrencyState();
            case GATE -> new GateState();
        };
    }

    /**
     * Looks without charging.
     *
     * @param peek whether what a clock that has stepped back left too far ahead stays as it is; else it is repaired
     */
    StateSnapshot read(Check demand, long nowMicros, boolean peek);

    /** Charges a demand for which {@link #read} at the same instant has just found room. */
    void charge(Check demand, long nowMicros);

    /** Charges units without asking, up to the bound of debts; {@link #read} at the same instant came just before. */
    void debt(Policy policy, long units, long nowMicros);

    /**
     * Charges what another limiter has admitted, whether it fits or not. What does not fit is debt, of which at most twice as much is
     * kept as asking alone could leave.
     *
     * @param found what {@link #read} has just found at the same instant
     * @param slotMicros how long the other limiter holds it for its slot
     * @return what it was charged on, for {@link #refund}; null if not all of it was charged
     */
    StateSnapshot admit(Check demand, StateSnapshot found, long slotMicros, long nowMicros);

    /**
     * Charges what another limiter has admitted, and a later answer of it has shown already.
     *
     * @param shown what of the price is charged already; at least 1
     * @param answer the other limiter's
     * @return as {@link #admit}
     */
    default StateSnapshot admitShown(Check demand, long shown, CheckResult answer, long nowMicros) {
        throw new IllegalStateException("no answer shows what others took");
    }

    /**
     * How much of what others took the slot of an admission shows, in the measure of {@link #content}.
     *
     * @param found what was found when it was admitted
     * @param slotMicros how long the other limiter holds it for its slot
     */
    default long shownBySlot(Policy policy, StateSnapshot found, long slotMicros) {
        return 0;
    }

    /** How long the other limiter gives an admission back, at most. */
    default long refundableForMicros(CheckResult answer) {
        return answer.resetAfterMicros();
    }

    /** Whether the slot of an admission lies within what was found, so that a later answer may have shown it. */
    default boolean reaches(Check demand, StateSnapshot found, long slotMicros) {
        return true;
    }

    /** What units take of the {@link #content}, rounded up. */
    default long price(Policy policy, long units) {
        return units;
    }

    /**
     * How much of what answers have shown may be in it, as {@link #read} looked last, rounded down: units, of a bucket parts of a µs; 0
     * where answers show nothing of others.
     */
    default long content(Policy policy) {
        return 0;
    }

    /**
     * Gives back what a demand took.
     *
     * @param then what was read before it was charged
     * @param thenMicros when it was charged
     * @return whether anything was given back
     */
    boolean refund(Check demand, StateSnapshot then, long thenMicros, long nowMicros);

    /** From when on this cell is as good as an untouched one, in µs. */
    long idleAtMicros();

    /** Roughly what it holds in memory, beyond what every cell does. */
    default long bytes() {
        return 0;
    }
}
