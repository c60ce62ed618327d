package dev.limiter.internal.algorithm;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;

/** The instants of the admitted units: {@code lua/algorithm/sliding_log.lua}. */
public final class SlidingLog extends AlgorithmRules {

    private final byte[] ofOne;

    SlidingLog(PolicyMembers members) {
        super(StateKind.SLIDING_LOG, members);
        this.ofOne = packed(1);
    }

    private byte[] packed(long cost) {
        return Packed.packed(cost, limit, windowMicros);
    }

    @Override
    public long maxCost() {
        return Math.min(limit, Policy.MAX_LOG_COST);
    }

    @Override
    public long mostInAnyWindow() {
        return limit;
    }

    @Override
    public boolean admitsAllOf(AlgorithmRules tighter) {
        return limitHolds(tighter, windowMicros);
    }

    @Override
    public byte[] arguments(Check check) {
        return check.cost() == 1 ? ofOne : packed(check.cost());
    }

    @Override
    public StateSnapshot read(PackedReader reply) {
        return new Snapshot(reply.nextFits(), reply.next(), reply.next(), reply.next(), reply.next());
    }

    /** All their units are pushed at once. */
    @Override
    public int maxMerged(Check check) {
        return (int) (Policy.MAX_LOG_COST / check.cost());
    }

    @Override
    public byte[] debtArguments(long units) {
        return super.debtArguments(Math.min(units, Policy.MAX_LOG_COST));
    }

    @Override
    public byte[] refundArguments(Check check, StateSnapshot before, long atMicros) {
        long recorded = ((Snapshot) before).recordedMicros(check.policy(), atMicros);
        return Packed.packed(check.cost(), recorded, windowMicros);
    }

    /**
     * A sliding log.
     *
     * @param fits whether {@code used + cost <= limit}
     * @param used units inside the window
     * @param waitMicros until the request fits if no other request comes; 0 if it fits
     * @param nextMicros until one more unit than now is free: the oldest unit that matters
     *     leaves the window; 0 if none is in it
     * @param resetMicros until the youngest unit leaves the window; 0 if none is in it
     */
    public record Snapshot(boolean fits, long used, long waitMicros, long nextMicros, long resetMicros)
            implements StateSnapshot {

        @Override
        public long remaining(Check check, boolean charged) {
            return Math.max(0, check.policy().limit() - used - (charged ? check.cost() : 0));
        }

        @Override
        public CheckResult result(Check check, boolean charged) {
            Policy policy = check.policy();
            long remaining = remaining(check, charged);
            if (!charged) {
                return new CheckResult(policy, fits, remaining, waitMicros, nextMicros, resetMicros);
            }
            long reset = resetAfterCharge(policy);
            return new CheckResult(policy, true, remaining, 0, used == 0 ? reset : nextMicros, reset);
        }

        @Override
        public Snapshot after(Check check, long times) {
            if (times == 0) {
                return this;
            }
            long reset = resetAfterCharge(check.policy());
            return new Snapshot(true, used + times * check.cost(), 0, used == 0 ? reset : nextMicros, reset);
        }

        @Override
        public long chargeable(Policy policy, long units) {
            return StateSnapshot.super.chargeable(policy, Math.min(units, Policy.MAX_LOG_COST));
        }

        /**
         * {@return the instant under which units charged at an instant are kept: never before
         * the youngest}
         *
         * @param policy the limit
         * @param atMicros the instant of the decision, in µs since 1970
         */
        public long recordedMicros(Policy policy, long atMicros) {
            return atMicros + resetAfterCharge(policy) - policy.windowMicros();
        }

        private long resetAfterCharge(Policy policy) {
            return Math.max(policy.windowMicros(), resetMicros);
        }
    }
}
