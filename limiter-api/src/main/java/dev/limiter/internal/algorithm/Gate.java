package dev.limiter.internal.algorithm;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;

/** Open, until a caller closes it for a while: {@code lua/algorithm/gate.lua}. */
public final class Gate extends AlgorithmRules {

    private static final long UNIT_MICROS = 1_000;
    private static final byte[] NOTHING = {};

    private final byte[] window;

    Gate(PolicyMembers members) {
        super(StateKind.GATE, members);
        this.window = Packed.packed(windowMicros);
    }

    @Override
    public long mostInAnyWindow() {
        return Long.MAX_VALUE;
    }

    /** A gate counts nothing. */
    @Override
    public boolean remainingShowsOthers() {
        return false;
    }

    @Override
    public byte[] arguments(Check check) {
        return window;
    }

    @Override
    public StateSnapshot read(PackedReader reply) {
        return new Snapshot(reply.nextFits(), reply.next());
    }

    /** The span for which it is closed, in µs. */
    @Override
    public byte[] debtArguments(long units) {
        return Packed.packed(closingMicros(units));
    }

    /** A request that passed took nothing. */
    @Override
    public byte[] refundArguments(Check check, StateSnapshot before, long atMicros) {
        return NOTHING;
    }

    /**
     * {@return the rules of a gate}
     *
     * @param policy the gate
     */
    public static Gate of(Policy policy) {
        return (Gate) policy.rules();
    }

    /**
     * {@return for how long so many units close it, in µs}
     *
     * @param units milliseconds, from 1
     */
    public long closingMicros(long units) {
        return Math.min(units * UNIT_MICROS, windowMicros);
    }

    /**
     * A gate.
     *
     * @param fits whether it is open
     * @param closedMicros until it opens; 0 if it is open
     */
    public record Snapshot(boolean fits, long closedMicros) implements StateSnapshot {
        @Override
        public CheckResult result(Check check, boolean charged) {
            long remaining = fits ? check.policy().capacity() : 0;
            return new CheckResult(check.policy(), fits, remaining, closedMicros, closedMicros, closedMicros);
        }

        /** A request that passes takes nothing. */
        @Override
        public Snapshot after(Check check, long times) {
            return this;
        }

        /**
         * The rest of a closing beyond the longest one is dropped, however long the gate is
         * closed already.
         */
        @Override
        public long chargeable(Policy policy, long units) {
            return Math.min(units, -Math.floorDiv(-policy.windowMicros(), UNIT_MICROS));
        }
    }
}
