package dev.limiter.spi.algorithm;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.Rate.Span;
import java.math.BigInteger;

/**
 * The generic cell rate algorithm, and all that is decided by it: {@code lua/algorithm/gcra.lua}. The content of a
 * {@code LEAKY_BUCKET} is the wait for the next free slot; it holds {@code maxWait} and one unit.
 */
public final class Gcra extends AlgorithmRules {
    private final long capacity;
    private final boolean borrow;
    private final boolean queue;

    private Gcra(Numbers numbers, long capacity, boolean queue) {
        super(numbers);
        this.capacity = capacity;
        this.borrow = numbers.borrow();
        this.queue = queue;
    }

    /** Up to {@code burst} units back to back. */
    static Gcra bucket(Numbers numbers) {
        return new Gcra(numbers, numbers.burst(), false);
    }

    /** Two units are at least {@code T} apart. */
    static Gcra spacing(Numbers numbers) {
        return new Gcra(numbers, 1, false);
    }

    /** Each unit gets a slot, and waits for it. */
    static Gcra queue(Numbers numbers) {
        long held = ExactMath.floor(numbers.maxWaitMicros(), numbers.limit(), numbers.windowMicros());
        return new Gcra(numbers, 1 + held, true);
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public long maxCost() {
        return borrow ? Math.max(limit, capacity) : capacity;
    }

    /** What a full bucket gives in the time that brings {@code limit} units, and what the last request may have borrowed. */
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

    /**
     * A bucket: GCRA and all that is decided by it. A {@code LEAKY_BUCKET} is one whose content is the wait for the next free
     * slot; it holds {@code maxWait} and one unit.
     *
     * @param fits whether {@code backlog <= slack}
     * @param backlog how far the theoretical arrival time lies ahead: what is in use, as time; not below zero
     */
    public record Snapshot(boolean fits, Span backlog) implements StateSnapshot {

        @Override
        public CheckResult answer(Check demand, boolean charged) {
            Policy policy = demand.policy();
            Rate rate = rate(policy);
            Span after = rate.plus(backlog, rate.timeOf(charged ? demand.cost() : 0));
            Span room = rate.minus(content(policy), after);
            long remaining = rate.unitsIn(room);
            long retry = fits ? 0 : rate.minus(backlog, slack(demand)).ceil();
            long run = fits && isQueue(policy) ? backlog.ceil() : 0;
            long next = remaining == policy.capacity()
                    ? 0
                    : rate.minus(rate.timeOf(remaining + 1), room).ceil();
            return new CheckResult(policy, fits, remaining, run, retry, next, after.ceil());
        }

        @Override
        public Snapshot after(Check demand, long times) {
            Rate rate = rate(demand.policy());
            return new Snapshot(true, rate.plus(backlog, rate.timeOf(times * demand.cost())));
        }

        @Override
        public long chargeable(Policy policy, long units) {
            Rate rate = rate(policy);
            return Math.min(units, rate.unitsIn(rate.minus(debtLimit(policy), backlog)));
        }

        /**
         * {@return the largest backlog on which a demand is admitted}
         *
         * @param demand what was asked
         */
        public static Span slack(Check demand) {
            Policy policy = demand.policy();
            boolean queue = isQueue(policy);
            Span room = rate(policy).timeOf(queue ? 0 : policy.capacity() - (policy.borrow() ? 1 : demand.cost()));
            return new Span(queue ? demand.maxWaitMicros() : room.micros(), room.part());
        }

        /**
         * {@return what a demand adds to the backlog}
         *
         * @param demand what was asked
         */
        public static Span price(Check demand) {
            return rate(demand.policy()).timeOf(demand.cost());
        }

        /**
         * {@return what units charged without asking add to the backlog; of more than ever fit, enough to reach the bound}
         *
         * @param policy the limit
         * @param units how many
         */
        public static Span debtPrice(Policy policy, long units) {
            return rate(policy).timeOf(Math.min(units, 2 * policy.capacity() + 2));
        }

        /**
         * {@return the largest backlog that charging without asking leaves}
         *
         * @param policy the limit
         */
        public static Span debtLimit(Policy policy) {
            Span content = content(policy);
            return rate(policy).plus(content, content);
        }

        /**
         * {@return how far the instant reaches after a demand was charged, if it was read at this instant}
         *
         * @param demand what was asked
         * @param atMicros the instant of the decision, in µs since 1970
         */
        public Span instantAfter(Check demand, long atMicros) {
            Span after = rate(demand.policy()).plus(backlog, price(demand));
            return new Span(atMicros + after.micros(), after.part());
        }

        /**
         * {@return whether requests are held for slots, so that a slot can be given back only while it is the last}
         *
         * @param policy the limit
         */
        public static boolean isQueue(Policy policy) {
            return policy.algorithm() == Algorithm.LEAKY_BUCKET;
        }

        /**
         * {@return the time of units in which this policy counts}
         *
         * @param policy the limit
         */
        public static Rate rate(Policy policy) {
            return new Rate(policy.limit(), policy.windowMicros());
        }

        private static Span content(Policy policy) {
            Rate rate = rate(policy);
            boolean queue = isQueue(policy);
            return rate.plus(
                    new Span(queue ? policy.maxWaitMicros() : 0, 0), rate.timeOf(queue ? 1 : policy.capacity()));
        }
    }
}
