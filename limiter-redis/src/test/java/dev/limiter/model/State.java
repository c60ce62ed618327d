package dev.limiter.model;

import dev.limiter.Check;

/**
 * What one partition has counted, exactly. A state never changes: each method says what it would
 * be afterwards. That makes the future cheap to ask for: an answer's figures are found by asking
 * the same state at later instants.
 *
 * <p>A demand stands for its policy as of this call, whose limit may be another than that of the
 * call before.
 */
interface State {

    /**
     * This state with what a step of the clock left impossible put right; the same object if there
     * is nothing to put right. The others but {@link #refunded} are asked of what this returned.
     */
    State repaired(Check demand, long nowMicros);

    /** Whether the demand would be admitted. */
    boolean fits(Check demand, long nowMicros);

    /**
     * Whether so many single units, at least 1, would be admitted one after the other at this
     * instant.
     */
    boolean holds(long units, Check demand, long nowMicros);

    /** This state after the demand, which fits, was admitted. */
    State taken(Check demand, long nowMicros);

    /**
     * This state after units that no limit may refuse; the demand says on which policy, its cost
     * says nothing.
     */
    Charged charged(long units, Check demand, long nowMicros);

    /**
     * This state after the demand was given back, as far as that is still possible.
     *
     * @param then the state as the demand left it
     */
    Refunded refunded(Check demand, State then, long nowMicros);

    /** How long a request that is admitted now is held. */
    default long waitMicros(Check demand, long nowMicros) {
        return 0;
    }

    /** The state after a charge, and how many whole units were charged. */
    record Charged(State after, long units) {}

    /** The state after a refund, and whether anything was given back. */
    record Refunded(State after, boolean any) {}
}
