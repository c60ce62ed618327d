package dev.limiter.internal.algorithm;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import java.math.BigInteger;

/**
 * A bucket that gets {@code limit} tokens at the end of each window:
 * {@code lua/algorithm/interval.lua}.
 */
public final class IntervalBucket extends AlgorithmRules {
    private final byte[] ofOne;

    IntervalBucket(PolicyMembers members) {
        super(StateKind.INTERVAL, members, members.get(PolicyMember.BURST));
        this.ofOne = packed(1, 1);
    }

    private byte[] packed(long need, long cost) {
        return Packed.packed(need, cost, limit, windowMicros, capacity);
    }

    /**
     * The units of a full bucket, those of one refill, and those that the last request may have
     * borrowed.
     */
    @Override
    public long mostInAnyWindow() {
        return capacity + (borrow ? limit + maxCost() - 1 : Math.min(capacity, limit));
    }

    @Override
    public BigInteger quotaMicros() {
        return super.quotaMicros().multiply(BigInteger.valueOf(-Math.floorDiv(-capacity, limit)));
    }

    @Override
    public byte[] arguments(Check check) {
        return check.cost() == 1 ? ofOne : packed(Snapshot.need(check), check.cost());
    }

    @Override
    public StateSnapshot read(PackedReader reply) {
        return new Snapshot(reply.nextFits(), reply.next(), reply.next(), reply.next());
    }

    @Override
    public byte[] refundArguments(Check check, StateSnapshot before, long atMicros) {
        long phase = ((Snapshot) before).phaseMicros(check.policy(), atMicros);
        return Packed.packed(check.cost(), limit, windowMicros, phase);
    }

    /**
     * A bucket that is refilled at intervals.
     *
     * @param fits whether {@code used + cost <= burst}, or {@code used < burst} where one may
     *     borrow
     * @param used tokens that are missing from a full bucket; more than the burst while there is
     *     debt
     * @param leftMicros until the next refill; 0 if the bucket is full, for then it has no phase
     * @param wholeMicros until the bucket is full at the latest, as it would be under the limit
     *     that the tokens were taken with; 0 if it is
     */
    public record Snapshot(boolean fits, long used, long leftMicros, long wholeMicros) implements StateSnapshot {

        @Override
        public long remaining(Check check, boolean charged) {
            return (charged ? plus(check.policy(), check.cost()) : this).remaining(check.policy());
        }

        @Override
        public CheckResult result(Check check, boolean charged) {
            Policy policy = check.policy();
            Snapshot after = charged ? plus(policy, check.cost()) : this;
            return new CheckResult(
                    policy,
                    fits,
                    after.remaining(policy),
                    fits ? 0 : wait(policy, used + need(check) - policy.burst()),
                    after.next(policy),
                    after.wait(policy, after.used));
        }

        @Override
        public Snapshot after(Check check, long times) {
            return times == 0 ? this : plus(check.policy(), times * check.cost());
        }

        /**
         * {@return the tokens that must be there to admit a check}
         *
         * @param check the check to decide
         */
        public static long need(Check check) {
            return check.policy().borrow() ? 1 : check.cost();
        }

        /**
         * {@return the instant of the phase after a charge at this instant: that of the last
         * refill, or of the first take from a full bucket}
         *
         * @param policy the limit
         * @param atMicros the instant of the decision, in µs since 1970
         */
        public long phaseMicros(Policy policy, long atMicros) {
            return used == 0 ? atMicros : atMicros + leftMicros - policy.windowMicros();
        }

        /**
         * {@return how long after its phase a bucket is full from which so many tokens are
         * missing}
         *
         * @param policy the limit
         * @param missing units that are missing
         */
        public static long fullAfterMicros(Policy policy, long missing) {
            return -Math.floorDiv(-missing, policy.limit()) * policy.windowMicros();
        }

        private Snapshot plus(Policy policy, long units) {
            long left = used == 0 ? policy.windowMicros() : leftMicros;
            long whole = left - policy.windowMicros() + fullAfterMicros(policy, used + units);
            return new Snapshot(fits, used + units, left, whole);
        }

        private long remaining(Policy policy) {
            return Math.max(0, policy.burst() - used);
        }

        private long next(Policy policy) {
            return wait(policy, used == 0 ? 0 : Math.max(1, used - policy.burst() + 1));
        }

        /** Until so many tokens have come back. */
        private long wait(Policy policy, long tokens) {
            if (tokens <= 0) {
                return 0;
            }
            long further = (tokens - 1) / policy.limit();
            return further > wholeMicros / policy.windowMicros()
                    ? wholeMicros
                    : Math.min(leftMicros + further * policy.windowMicros(), wholeMicros);
        }
    }
}
