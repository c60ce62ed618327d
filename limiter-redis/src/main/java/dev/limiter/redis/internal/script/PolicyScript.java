package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.spi.algorithm.StateSnapshot;

/**
 * How one policy speaks with the scripts: its arguments, encoded once where they are the same for every request, and the meaning of
 * its reply. What they are is written at the head of each file in {@code lua}.
 */
public interface PolicyScript {

    /** The file that decides. */
    StateKind file();

    /** The algorithm's name, as arguments call it. */
    byte[] name();

    /** The algorithm's arguments, packed; to be read only, for they may be those of other requests. */
    byte[] arguments(Check demand);

    /** Takes from the reply what the algorithm reads. */
    StateSnapshot reading(Reply reply);

    /**
     * How many equal demands one call of the algorithm may settle, as if they came one after the other at one instant. From some
     * thousands on it is the script that takes its time.
     */
    default int mostAtOnce(Check demand) {
        return 10_000;
    }

    /** As it speaks with the settlement. */
    default PolicyScript settling() {
        return this;
    }

    /** How much is charged without asking, and the bound, packed: units, unless the algorithm measures otherwise. */
    default byte[] debt(Policy policy, long units) {
        return Packed.packed(units, StateSnapshot.debtLimit(policy));
    }

    /** What is needed to give back a demand, packed. */
    byte[] refund(Check demand, StateSnapshot then, long thenMicros);

    /** The only place where an algorithm meets its script. */
    static PolicyScript of(Policy policy) {
        return switch (policy.algorithm()) {
            case FIXED_WINDOW -> new WindowScript(StateKind.FIXED_WINDOW, policy);
            case SLIDING_WINDOW -> new WindowScript(StateKind.SLIDING_WINDOW, policy);
            case SLIDING_LOG -> new LogScript(policy);
            case TOKEN_BUCKET ->
                policy.refill() == Refill.INTERVAL ? new IntervalScript(policy) : new GcraScript(policy);
            case GCRA, UNIFORM, LEAKY_BUCKET -> new GcraScript(policy);
            case CONCURRENCY -> new LeaseScript(policy);
            case GATE -> new GateScript(policy);
        };
    }
}
