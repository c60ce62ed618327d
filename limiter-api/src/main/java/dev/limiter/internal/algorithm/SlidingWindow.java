package dev.limiter.internal.algorithm;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;

/**
 * Two counters, of which the older one is weighted: {@code lua/algorithm/sliding_window.lua}.
 */
public final class SlidingWindow extends WindowRules {

    SlidingWindow(PolicyMembers members) {
        super(StateKind.SLIDING_WINDOW, members, members.get(PolicyMember.LIMIT), 0);
    }

    @Override
    public long mostInAnyWindow() {
        return 2 * limit - 1;
    }

    /**
     * The wait for more, unless the previous window is empty: what is left is then a part of the
     * present window's quota, and comes back the sooner the more of it is used. If all of it is
     * used at once, the window to come has room for one more after its first {@code 1 / limit}.
     */
    @Override
    public long remainingHoldsMicros(CheckResult result) {
        long next = result.nextAfterMicros();
        if (result.remaining() == 0) {
            return next;
        }
        // The full quota is there when the last used unit is two windows old, so one window
        // after the end of the present window.
        long reset = result.resetAfterMicros();
        long presentEnds = reset > windowMicros ? reset - windowMicros : reset;
        return next <= presentEnds ? next : Math.min(next, presentEnds - Math.floorDiv(-windowMicros, limit));
    }

    @Override
    public StateSnapshot read(PackedReader reply) {
        return new Snapshot(reply.nextFits(), reply.next(), reply.next(), reply.next());
    }

    @Override
    public byte[] refundArguments(Check check, StateSnapshot before, long atMicros) {
        return Packed.packed(check.cost(), ((Snapshot) before).endsMicros(atMicros));
    }

    /**
     * Two windows.
     *
     * @param fits whether {@code previous · left + (current + cost) · window <= limit · window}
     * @param previous units charged in the window before
     * @param current units charged in the present window
     * @param leftMicros until the present window ends; at least 1, and more than a window only
     *     after the clock has stepped back
     */
    public record Snapshot(boolean fits, long previous, long current, long leftMicros) implements StateSnapshot {

        @Override
        public long remaining(Check check, boolean charged) {
            return (charged ? plus(check.cost()) : this).remaining(check.policy());
        }

        @Override
        public CheckResult result(Check check, boolean charged) {
            Policy policy = check.policy();
            Snapshot after = charged ? plus(check.cost()) : this;
            long remaining = after.remaining(policy);
            return new CheckResult(
                    policy,
                    fits,
                    remaining,
                    fits ? 0 : wait(policy, check.cost()),
                    remaining == policy.limit() ? 0 : after.wait(policy, remaining + 1),
                    after.wait(policy, policy.limit()));
        }

        @Override
        public Snapshot after(Check check, long times) {
            return new Snapshot(true, previous, current + times * check.cost(), leftMicros);
        }

        @Override
        public long used() {
            return current;
        }

        /**
         * {@return whether a cost fits into these two windows}
         *
         * @param policy the limit
         * @param previous units of the window before
         * @param current units of the present window
         * @param leftMicros until the present window ends, in µs
         * @param cost units that are asked for
         */
        public static boolean fits(Policy policy, long previous, long current, long leftMicros, long cost) {
            return new Snapshot(false, previous, current, leftMicros).wait(policy, cost) == 0;
        }

        /**
         * {@return when the present window ends, in µs since 1970, if it was read at this
         * instant}
         *
         * @param atMicros the instant of the decision, in µs since 1970
         */
        public long endsMicros(long atMicros) {
            return atMicros + leftMicros;
        }

        private Snapshot plus(long units) {
            return new Snapshot(fits, previous, current + units, leftMicros);
        }

        private long remaining(Policy policy) {
            long window = policy.windowMicros();
            long room = policy.limit() - current;
            // The largest cost that leaves the weighted units of the window before their place,
            // rounded up.
            return Math.max(0, room + ExactMath.floor(-previous, Math.min(leftMicros, window), window));
        }

        /**
         * The shortest time until a cost of at most the limit fits: in this window, or once it
         * is the one before.
         */
        private long wait(Policy policy, long cost) {
            long window = policy.windowMicros();
            long room = policy.limit() - current - cost;
            if (room < 0) {
                return leftMicros + window - ExactMath.floor(policy.limit() - cost, window, current);
            }
            if (previous == 0) {
                return 0;
            }
            long fitsAtLeft = ExactMath.floor(room, window, previous);
            return fitsAtLeft >= Math.min(leftMicros, window) ? 0 : leftMicros - fitsAtLeft;
        }
    }
}
