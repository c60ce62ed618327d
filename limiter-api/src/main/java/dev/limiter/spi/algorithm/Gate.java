package dev.limiter.spi.algorithm;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;

/** Open, until a caller closes it for a while: {@code lua/algorithm/gate.lua}. */
public final class Gate extends AlgorithmRules {

    Gate(Numbers numbers) {
        super(numbers);
    }

    @Override
    public long capacity() {
        return 1;
    }

    @Override
    public long mostInAnyWindow() {
        return Long.MAX_VALUE;
    }

    /**
     * A gate.
     *
     * @param fits whether it is open
     * @param closedMicros until it opens; 0 if it is open
     */
    public record Snapshot(boolean fits, long closedMicros) implements StateSnapshot {
        private static final long UNIT_MICROS = 1_000;

        @Override
        public CheckResult answer(Check demand, boolean charged) {
            long remaining = fits ? demand.policy().capacity() : 0;
            return new CheckResult(demand.policy(), fits, remaining, closedMicros, closedMicros, closedMicros);
        }

        /** A request that passes takes nothing. */
        @Override
        public Snapshot after(Check demand, long times) {
            return this;
        }

        /** Of a closing that is too long the end is dropped, however long it is closed already. */
        @Override
        public long chargeable(Policy policy, long units) {
            return Math.min(units, -Math.floorDiv(-policy.windowMicros(), UNIT_MICROS));
        }

        /**
         * {@return for how long so many units close it, in µs}
         *
         * @param policy the gate, whose window is the longest closing
         * @param units milliseconds, from 1
         */
        public static long closingMicros(Policy policy, long units) {
            return Math.min(units * UNIT_MICROS, policy.windowMicros());
        }
    }
}
