package dev.limiter.internal.algorithm;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Enforcement;
import dev.limiter.calendar.CalendarPeriod;

/** One counter per window: {@code lua/algorithm/fixed_window.lua}. */
public final class FixedWindow extends WindowRules {
    /** The most units that a state can hold: unsigned 32 bit. */
    private static final long MOST_UNITS = (1L << 32) - 1;

    /** The most that one request may cost on a soft limit. */
    private static final long MOST_SOFT_COST = (1L << 31) - 1;

    private final boolean soft;
    private final CalendarPeriod period;

    FixedWindow(PolicyMembers members) {
        super(
                StateKind.FIXED_WINDOW,
                members,
                isSoft(members) ? MOST_UNITS : members.get(PolicyMember.LIMIT),
                members.get(PolicyMember.KEEP) * longestNextMicros(members));
        this.soft = isSoft(members);
        this.period = members.get(PolicyMember.PERIOD);
    }

    /** How long the next period can last, also if it is moved. */
    private static long longestNextMicros(PolicyMembers members) {
        return members.micros(PolicyMember.WINDOW) + shortestMoved(members.get(PolicyMember.PERIOD));
    }

    private static long shortestMoved(CalendarPeriod period) {
        return period != null && period.isMovable() ? period.shortestMicros() : 0;
    }

    /** {@return how long a state is needed after the end of its window, in µs} */
    public long rememberedMicros() {
        return Math.max(keptMicros(), shortestMoved(period));
    }

    private static boolean isSoft(PolicyMembers members) {
        return members.get(PolicyMember.ENFORCEMENT) == Enforcement.SOFT;
    }

    /** A soft limit has room for what it has to count beyond the limit. */
    @Override
    public long maxCost() {
        return soft ? MOST_SOFT_COST : capacity;
    }

    @Override
    public long maxDebt() {
        return soft ? MOST_UNITS : super.maxDebt();
    }

    /**
     * The longest period can touch three: all of February, and days on both sides. One that is
     * moved is no shorter than February.
     */
    @Override
    public long mostInAnyWindow() {
        return (period == null ? 2 : 3) * limit;
    }

    @Override
    public boolean admitsAllOf(AlgorithmRules tighter) {
        return limitHolds(tighter, shortestMoved(period) > 0 ? 2 * windowMicros : windowMicros);
    }

    @Override
    public StateSnapshot read(PackedReader reply) {
        return new Snapshot(reply.nextFits(), reply.next(), reply.next());
    }

    @Override
    public byte[] refundArguments(Check check, StateSnapshot before, long atMicros) {
        long ends = ((Snapshot) before).endsMicros(atMicros);
        return keptMicros() == 0
                ? Packed.packed(check.cost(), ends)
                : Packed.packed(check.cost(), ends, ends + keptMicros());
    }

    /**
     * A fixed window.
     *
     * @param fits whether {@code used + cost <= limit}; for a soft limit, whether the state can
     *     hold them
     * @param used units charged in the present window
     * @param leftMicros until the present window ends; at least 1
     */
    public record Snapshot(boolean fits, long used, long leftMicros) implements StateSnapshot {

        @Override
        public long remaining(Check check, boolean charged) {
            return Math.max(0, check.policy().limit() - after(check, charged));
        }

        private long after(Check check, boolean charged) {
            return charged ? used + check.cost() : used;
        }

        @Override
        public CheckResult result(Check check, boolean charged) {
            long after = after(check, charged);
            long reset = after == 0 ? 0 : leftMicros;
            long remaining = remaining(check, charged);
            return new CheckResult(
                    check.policy(), fits, remaining, after, 0, fits ? 0 : leftMicros, reset, reset, false);
        }

        @Override
        public Snapshot after(Check check, long times) {
            return new Snapshot(true, used + times * check.cost(), leftMicros);
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
