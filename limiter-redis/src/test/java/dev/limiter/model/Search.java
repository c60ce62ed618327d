package dev.limiter.model;

import java.util.function.LongPredicate;

/**
 * Finds the turning point of a monotone condition: by growing steps, then by halving. So the
 * model computes a figure by its definition, and without the formula that it checks.
 */
final class Search {

    /** Beyond any instant that a limiter can count. */
    private static final long NEVER = 1L << 54;

    private static final int STEP = 16;

    private Search() {}

    /** The least number from 1 for which the condition holds, which then holds for all above. */
    static long least(LongPredicate condition) {
        long above = 1;
        while (!condition.test(above)) {
            if (above >= NEVER) {
                throw new AssertionError("not within " + NEVER + " µs, so never");
            }
            above *= STEP;
        }
        return firstBetween(above / STEP, above, condition);
    }

    /**
     * The greatest number from 0 to {@code most} for which the condition holds, which then holds
     * for all from 1 on.
     */
    static long greatest(long most, LongPredicate condition) {
        long above = 1;
        while (above <= most && condition.test(above)) {
            above *= STEP;
        }
        return firstBetween(above / STEP, Math.min(above, most + 1), units -> !condition.test(units)) - 1;
    }

    /**
     * The first for which it holds, if it does not for {@code below} and does for {@code above}.
     */
    private static long firstBetween(long below, long above, LongPredicate condition) {
        while (above - below > 1) {
            long middle = below + (above - below) / 2;
            if (condition.test(middle)) {
                above = middle;
            } else {
                below = middle;
            }
        }
        return above;
    }
}
