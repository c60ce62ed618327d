package dev.limiter.internal.algorithm;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.Rate.Span;
import java.math.BigInteger;

/**
 * The generic cell rate algorithm, and all that is decided by it:
 * {@code lua/algorithm/gcra.lua}. The content of a {@code LEAKY_BUCKET} is the wait for the next
 * free slot; it holds {@code maxWait} and one unit.
 */
public final class Gcra extends AlgorithmRules {
    private static final byte[] QUEUE = {1};
    private static final byte[] NO_QUEUE = {0};

    private final PolicyMembers members;
    private final Rate rate;
    private final boolean limitVaries;
    private final long maxWaitMicros;
    private final boolean queue;
    private final Span content;
    private final Span debtLimit;
    private final Span mostOwed;
    private final boolean parts;
    private final byte[] ofOne;

    /**
     * Most policies give a unit a whole number of microseconds, and need not speak of parts. A
     * queue always does, and a limit that varies: the parts say the limit.
     */
    private Gcra(PolicyMembers members, long capacity, boolean queue, boolean adjusting) {
        super(StateKind.GCRA, members, capacity);
        this.members = members;
        this.rate = new Rate(limit, windowMicros);
        this.limitVaries = members.get(PolicyMember.LIMIT_VARIES);
        this.queue = queue;
        this.maxWaitMicros = members.micros(PolicyMember.MAX_WAIT);
        this.content = rate.plus(new Span(maxWaitMicros, 0), rate.timeOf(queue ? 1 : capacity));
        this.debtLimit = rate.plus(content, content);
        Span borrowed = rate.timeOf(borrow ? maxCost() : 0);
        this.mostOwed = rate.plus(debtLimit, rate.plus(borrowed, borrowed));
        this.parts = adjusting || queue || limitVaries || windowMicros % limit != 0;
        this.ofOne = packed(1, maxWaitMicros);
    }

    private byte[] packed(long cost, long maxWaitMicros) {
        Span tolerance = tolerance(cost, maxWaitMicros);
        Span increment = rate.timeOf(cost);
        return parts
                ? Packed.packed(tolerance.micros(), increment.micros(), tolerance.part(), increment.part(), limit)
                : Packed.packed(tolerance.micros(), increment.micros());
    }

    /** Up to {@code burst} units back to back. */
    static Gcra bucket(PolicyMembers members) {
        return new Gcra(members, members.get(PolicyMember.BURST), false, false);
    }

    /** Two units are at least {@code T} apart. */
    static Gcra spacing(PolicyMembers members) {
        return new Gcra(members, 1, false, false);
    }

    /** Each unit gets a slot, and waits for it. */
    static Gcra queue(PolicyMembers members) {
        long held = ExactMath.floor(
                members.micros(PolicyMember.MAX_WAIT),
                members.get(PolicyMember.LIMIT),
                members.micros(PolicyMember.WINDOW));
        return new Gcra(members, 1 + held, true, false);
    }

    /**
     * {@return the rules of a policy whose state is of this kind}
     *
     * @param policy a bucket or a queue
     */
    public static Gcra of(Policy policy) {
        return (Gcra) policy.rules();
    }

    /**
     * The units of a full bucket, those that come back in a window, and those that the last
     * request may have borrowed.
     */
    @Override
    public long mostInAnyWindow() {
        return queue ? limit : capacity + limit - 1 + (borrow ? maxCost() - 1 : 0);
    }

    @Override
    public BigInteger quotaMicros() {
        BigInteger[] micros = super.quotaMicros()
                .multiply(BigInteger.valueOf(capacity))
                .divideAndRemainder(BigInteger.valueOf(limit));
        return micros[1].signum() == 0 ? micros[0] : micros[0].add(BigInteger.ONE);
    }

    @Override
    public boolean delays() {
        return queue;
    }

    /** A longer window divides without a remainder. */
    @Override
    public boolean dividesByWindow() {
        return true;
    }

    @Override
    public boolean admitsAllOf(AlgorithmRules tighter) {
        return isPlain()
                && tighter instanceof Gcra other
                && other.isPlain()
                && other.capacity <= capacity
                && other.isNoFaster(this);
    }

    private boolean isPlain() {
        return !queue && !borrow;
    }

    private boolean isNoFaster(Gcra other) {
        BigInteger mine = BigInteger.valueOf(limit).multiply(BigInteger.valueOf(other.windowMicros));
        return mine.compareTo(BigInteger.valueOf(other.limit).multiply(BigInteger.valueOf(windowMicros))) <= 0;
    }

    @Override
    public byte[] scriptName() {
        return kind().word(keepsUnits() ? 2 : parts ? 1 : 0);
    }

    @Override
    public byte[] arguments(Check check) {
        boolean usual = check.cost() == 1 && check.maxWaitMicros() == maxWaitMicros;
        return usual ? ofOne : packed(check.cost(), check.maxWaitMicros());
    }

    @Override
    public StateSnapshot read(PackedReader reply) {
        return new Snapshot(reply.nextFits(), reply.next(), parts ? reply.next() : 0);
    }

    /** Always with parts: adjustments are rare and need no second form. */
    @Override
    public AlgorithmRules adjusting() {
        return parts ? this : new Gcra(members, capacity, queue, true);
    }

    @Override
    public byte[] debtArguments(long units) {
        Span increment = debtIncrement(units);
        Span bound = debtLimit();
        return Packed.packed(increment.micros(), increment.part(), bound.micros(), bound.part());
    }

    @Override
    public byte[] refundArguments(Check check, StateSnapshot before, long atMicros) {
        Span reached = ((Snapshot) before).instantAfter(check, atMicros);
        byte[] packed = Packed.packed(atMicros, reached.micros(), reached.part());
        return Packed.joined(Packed.joined(adjusting().arguments(check), packed), queue ? QUEUE : NO_QUEUE);
    }

    /** Otherwise the instant stays at which all units are back. For a queue it is a slot. */
    @Override
    public boolean keepsUnits() {
        return limitVaries && !queue;
    }

    /** {@return the limit that a charge writes into the state; 0 if it writes none} */
    public long writtenLimit() {
        return parts ? limit : 0;
    }

    /** {@return the time of units, by which they raise the backlog} */
    public Rate rate() {
        return rate;
    }

    /**
     * {@return the largest backlog on which a check is admitted}
     *
     * @param check the check to decide
     */
    public Span tolerance(Check check) {
        return tolerance(check.cost(), check.maxWaitMicros());
    }

    private Span tolerance(long cost, long maxWaitMicros) {
        Span room = rate.timeOf(queue ? 0 : capacity - (borrow ? 1 : cost));
        return new Span(queue ? maxWaitMicros : room.micros(), room.part());
    }

    /**
     * {@return by how much units that are charged without asking raise the backlog; for more
     * units than ever fit, enough to reach the bound}
     *
     * @param units how many
     */
    public Span debtIncrement(long units) {
        return rate.timeOf(Math.min(units, 2 * capacity + 2));
    }

    /** {@return the largest backlog that charging without asking leaves} */
    public Span debtLimit() {
        return debtLimit;
    }

    /**
     * {@return the largest backlog that records of what others admitted leave} It is above the
     * {@linkplain #debtLimit bound of debts} if the policy may borrow.
     */
    public Span mostOwed() {
        return mostOwed;
    }

    /**
     * The state of a bucket as a store read it.
     *
     * @param fits whether the backlog is at most the {@linkplain Gcra#tolerance tolerance}
     * @param backlogMicros how far the theoretical arrival time lies ahead, which is the used quota
     *     as time; not below zero
     * @param backlogPart the part of a µs beyond, as in {@link Span}
     */
    public record Snapshot(boolean fits, long backlogMicros, long backlogPart) implements StateSnapshot {

        /**
         * A state with a backlog.
         *
         * @param fits as in the record
         * @param backlog as in the record
         */
        public Snapshot(boolean fits, Span backlog) {
            this(fits, backlog.micros(), backlog.part());
        }

        /** {@return the backlog} It is no object of its own, since most are never read again. */
        public Span backlog() {
            return new Span(backlogMicros, backlogPart);
        }

        private static Span after(Span backlog, Check check, boolean charged) {
            Rate rate = of(check.policy()).rate;
            return rate.plus(backlog, rate.timeOf(charged ? check.cost() : 0));
        }

        @Override
        public long remaining(Check check, boolean charged) {
            Gcra rules = of(check.policy());
            return rules.rate.unitsIn(rules.rate.minus(rules.content, after(backlog(), check, charged)));
        }

        @Override
        public CheckResult result(Check check, boolean charged) {
            Policy policy = check.policy();
            Gcra rules = of(policy);
            Rate rate = rules.rate;
            Span backlog = backlog();
            Span after = after(backlog, check, charged);
            Span room = rate.minus(rules.content, after);
            long remaining = rate.unitsIn(room);
            long retry = fits ? 0 : rate.minus(backlog, rules.tolerance(check)).ceil();
            long run = fits && rules.queue ? backlog.ceil() : 0;
            long next = remaining == rules.capacity
                    ? 0
                    : rate.minus(rate.timeOf(remaining + 1), room).ceil();
            long used = rules.capacity - remaining;
            return new CheckResult(policy, fits, remaining, used, run, retry, next, after.ceil(), false);
        }

        @Override
        public Snapshot after(Check check, long times) {
            Gcra rules = of(check.policy());
            return new Snapshot(true, rules.rate.plus(backlog(), rules.rate.timeOf(times * check.cost())));
        }

        @Override
        public long chargeable(Policy policy, long units) {
            Gcra rules = of(policy);
            return Math.min(units, rules.rate.unitsIn(rules.rate.minus(rules.debtLimit(), backlog())));
        }

        /**
         * {@return how far the instant reaches after a check was charged, if it was read at this
         * instant}
         *
         * @param check the check that was charged
         * @param atMicros the instant of the decision, in µs since 1970
         */
        public Span instantAfter(Check check, long atMicros) {
            Span after = after(backlog(), check, true);
            return new Span(atMicros + after.micros(), after.part());
        }
    }
}
