package dev.limiter.model;

import dev.limiter.Check;

/**
 * The exact state of one partition. It is immutable: each method returns the state afterwards.
 * So the figures of a result are found by asking the same state at later instants.
 *
 * <p>A check has the policy of this call. Its limit may differ from that of the previous call.
 */
interface State {

    /**
     * This state, repaired after a step of the clock; the same object if nothing needs repair.
     * All other methods but {@link #refunded} are called on the repaired state.
     */
    State repaired(Check check, long nowMicros);

    /**
     * What is stored of this repaired state if nothing is charged.
     *
     * @param before the state that was repaired
     */
    default State kept(State before, long nowMicros) {
        return this;
    }

    /** Whether the check would be admitted. */
    boolean fits(Check check, long nowMicros);

    /**
     * Whether this number of single units, at least 1, would be admitted one after the other at
     * this instant.
     */
    boolean holds(long units, Check check, long nowMicros);

    /** This state after the check, which fits, was admitted. */
    State taken(Check check, long nowMicros);

    /**
     * This state after a charge that is never refused. The check has the policy; its cost does
     * not count.
     */
    Charged charged(long units, Check check, long nowMicros);

    /**
     * This state after the check was given back, as far as that is still possible.
     *
     * @param then the state as the check left it
     */
    Refunded refunded(Check check, State then, long nowMicros);

    /** Units that are counted beyond the limit. */
    default long overage(Check check, long nowMicros) {
        return 0;
    }

    /** How long a request that is admitted now is held. */
    default long waitMicros(Check check, long nowMicros) {
        return 0;
    }

    /** The state after a charge, and how many whole units were charged. */
    record Charged(State after, long units) {}

    /** The state after a refund, and whether anything was given back. */
    record Refunded(State after, boolean any) {}
}
