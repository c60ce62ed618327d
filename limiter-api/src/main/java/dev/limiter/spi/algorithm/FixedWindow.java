package dev.limiter.spi.algorithm;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;

/** One counter per window: {@code lua/algorithm/fixed_window.lua}. */
public final class FixedWindow extends WindowRules {

    FixedWindow(Numbers numbers) {
        super(numbers);
    }

    @Override
    public long mostInAnyWindow() {
        return 2 * limit;
    }

    @Override
    public boolean admitsAllOf(AlgorithmRules tighter) {
        return limitHolds(tighter);
    }

    @Override
    public StateKind kind() {
        return StateKind.FIXED_WINDOW;
    }

    @Override
    public StateSnapshot read(PackedReader reply) {
        return new Snapshot(reply.nextFits(), reply.next(), reply.next());
    }

    @Override
    public byte[] refundArguments(Check check, StateSnapshot before, long atMicros) {
        return Packed.packed(check.cost(), ((Snapshot) before).endsMicros(atMicros));
    }

    /**
     * A fixed window.
     *
     * @param fits whether {@code used + cost <= limit}
     * @param used units charged in the present window
     * @param leftMicros until the present window ends; at least 1
     */
    public record Snapshot(boolean fits, long used, long leftMicros) implements StateSnapshot {

        @Override
        public CheckResult result(Check check, boolean charged) {
            long after = charged ? used + check.cost() : used;
            long reset = after == 0 ? 0 : leftMicros;
            long remaining = Math.max(0, check.policy().limit() - after);
            return new CheckResult(check.policy(), fits, remaining, fits ? 0 : leftMicros, reset, reset);
        }

        @Override
        public Snapshot after(Check check, long times) {
            return new Snapshot(true, used + times * check.cost(), leftMicros);
        }

        @Override
        public long chargeable(Policy policy, long units) {
            return Math.min(units, Math.max(0, policy.rules().maxDebt() - used));
        }

        /**
         * {@return when the window ends, in µs since 1970, if it was read at this instant}
         *
         * @param atMicros the instant of the decision, in µs since 1970
         */
        public long endsMicros(long atMicros) {
            return atMicros + leftMicros;
        }
    }
}
