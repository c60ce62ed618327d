package dev.limiter.spi;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.store.Receipt;
import java.util.List;

/**
 * A question to a {@link dev.limiter.RateLimiter}. Each of its methods makes one, and
 * {@link dev.limiter.RateLimiter#answer} answers it.
 *
 * @param <A> the type of the answer
 */
public sealed interface Ask<A> {

    /** {@return whether it changes nothing: no unit is charged or given back} */
    default boolean isRead() {
        return this instanceof Peek || this instanceof Count;
    }

    /**
     * {@return the checks that it concerns, in their order} Of a receipt these are the charges,
     * not what is read afterwards.
     */
    List<Check> checks();

    /**
     * {@return an answer, as the type of this question} Whoever answers knows that it is of this
     * type.
     *
     * @param answer of the type of this question
     */
    @SuppressWarnings("unchecked")
    default A is(Object answer) {
        return (A) answer;
    }

    /**
     * Decides a group, all or nothing.
     *
     * @param group the checks
     * @param budget how long the caller waits for admission; null if it does not wait
     */
    record Acquire(CheckGroup group, WaitBudget budget) implements Ask<Decision> {
        @Override
        public List<Check> checks() {
            return group.checks();
        }
    }

    /**
     * Decides groups, one after the other. The answer says which of them the store left undecided,
     * and nothing is thrown. A group of leases only renews them.
     *
     * @param groups asked one after the other
     */
    record AcquireEach(List<CheckGroup> groups) implements Ask<GroupDecisions> {
        /**
         * {@return whether a group only renews leases} That is no decision on a request.
         *
         * @param group one of the groups
         */
        public static boolean isRenewal(CheckGroup group) {
            return group.checks().stream()
                    .allMatch(check -> check.policy().rules().leases());
        }

        @Override
        public List<Check> checks() {
            return groups.stream().flatMap(group -> group.checks().stream()).toList();
        }
    }

    /**
     * Answers as {@link Acquire} would, without charging.
     *
     * @param group the checks
     */
    record Peek(CheckGroup group) implements Ask<List<CheckResult>> {
        @Override
        public List<Check> checks() {
            return group.checks();
        }
    }

    /**
     * Charges units, whatever the limit.
     *
     * @param check the limit and the partition
     * @param units from 1; to charge 0, a limiter peeks instead
     */
    record Charge(Check check, long units) implements Ask<ChargeResult> {
        /**
         * Refuses units that cannot be charged.
         *
         * @param check as in the record
         * @param units as in the record
         * @throws IllegalArgumentException as {@link ChargeResult#requireChargeable} says
         */
        public Charge {
            ChargeResult.requireChargeable(check.policy(), units);
        }

        @Override
        public List<Check> checks() {
            return List.of(check);
        }
    }

    /**
     * Gives back what was charged, and reads what is left then. It can be answered once, because
     * the store spends the receipt.
     *
     * @param receipt of what was charged
     * @param thenPeek what is read afterwards; null for nothing
     */
    record GiveBack(Receipt receipt, Check thenPeek) implements Ask<GiveBack.Given> {
        /**
         * What was given back.
         *
         * @param any whether anything was
         * @param left the result for {@code thenPeek}; null if nothing was to be read
         */
        public record Given(boolean any, CheckResult left) {}

        @Override
        public List<Check> checks() {
            return receipt.checks();
        }
    }

    /**
     * Forgets a partition.
     *
     * @param check the limit and the partition
     */
    record Reset(Check check) implements Ask<Void> {
        @Override
        public List<Check> checks() {
            return List.of(check);
        }
    }

    /**
     * Reads what was counted in a period of the calendar.
     *
     * @param check the limit and the partition
     * @param period which one
     */
    record Count(Check check, Usage.Period period) implements Ask<Usage> {
        @Override
        public List<Check> checks() {
            return List.of(check);
        }
    }
}
