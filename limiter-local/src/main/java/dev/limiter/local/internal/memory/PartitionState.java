package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.StateSnapshot;

/**
 * The state of one partition under one policy: read first, charged only when the whole group
 * fits. Each implementation follows the rules of its file in {@code lua/}. Not thread-safe.
 */
public interface PartitionState {

    /**
     * Reads without charging.
     *
     * @param peek whether state that lies too far ahead after a step back of the clock stays as
     *     it is; otherwise it is repaired
     */
    StateSnapshot read(Check check, long nowMicros, boolean peek);

    /** Charges a check for which {@link #read} at the same instant has just found room. */
    void charge(Check check, long nowMicros);

    /**
     * Charges units without asking, up to the bound of debts; {@link #read} at the same instant
     * came just before.
     */
    void debt(Policy policy, long units, long nowMicros);

    /**
     * Charges what another limiter has admitted, whether it fits or not. Units that do not fit
     * are debt, bounded at twice the debt that checks alone can leave.
     *
     * @param found the result of {@link #read} at the same instant
     * @param slotMicros how long the other limiter holds the request for its slot
     * @return the state before the charge, for {@link #refund}; null if not all of it was
     *     charged
     */
    default StateSnapshot admit(Check check, StateSnapshot found, long slotMicros, long nowMicros) {
        charge(check, nowMicros);
        return found;
    }

    /**
     * Charges what another limiter has admitted, and a later result of it has shown already.
     *
     * @param shown the part of the price that is charged already; at least 1
     * @param result the other limiter's
     * @return as {@link #admit}
     */
    default StateSnapshot admitShown(Check check, long shown, CheckResult result, long nowMicros) {
        throw new IllegalStateException("no answer shows what others took");
    }

    /**
     * The units of others that the slot of an admission shows, in the measure of
     * {@link #content}.
     *
     * @param found the state when it was admitted
     * @param slotMicros how long the other limiter holds the request for its slot
     */
    default long shownBySlot(Policy policy, StateSnapshot found, long slotMicros) {
        return 0;
    }

    /** For how long the other limiter can give an admission back, at most. */
    default long refundableForMicros(CheckResult result) {
        return result.resetAfterMicros();
    }

    /**
     * Whether the slot of an admission lies within the found state, so that a later result may
     * have shown it.
     */
    default boolean reaches(Check check, StateSnapshot found, long slotMicros) {
        return true;
    }

    /** The part of the {@link #content} that units take, rounded up. */
    default long price(Policy policy, long units) {
        return units;
    }

    /**
     * The most shown units that the state may contain, as of the last {@link #read}, rounded
     * down. It counts units, for a bucket parts of a µs. It is 0 if results show nothing of
     * others.
     */
    default long content(Policy policy) {
        return 0;
    }

    /**
     * Gives back what a check took.
     *
     * @param then the state before the charge
     * @param thenMicros the instant of the charge
     * @return whether anything was given back
     */
    boolean refund(Check check, StateSnapshot then, long thenMicros, long nowMicros);

    /** The instant from which this state is as good as an untouched one, in µs. */
    long idleAtMicros();

    /** A rough size in memory, beyond what every state takes. */
    default long bytes() {
        return 0;
    }
}
