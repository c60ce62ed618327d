package dev.limiter.redis.load;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.Refill;

/**
 * Counts the intervals that hold more than promised, over every pair of admissions. It uses the
 * promise only.
 */
public final class Intervals {
    private Intervals() {}

    /**
     * How many admissions end an interval that holds too many.
     *
     * @param instants when requests of one key were admitted, or for a queue when they may run;
     *     ascending
     */
    public static long violations(Policy policy, long[] instants) {
        return switch (policy.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, CONCURRENCY -> inAnyWindow(policy, instants);
            case TOKEN_BUCKET ->
                policy.refill() == Refill.INTERVAL ? inAnyWindow(policy, instants) : inAnyInterval(policy, instants);
            case GCRA, UNIFORM, LEAKY_BUCKET -> inAnyInterval(policy, instants);
            case GATE -> 0; // it promises nothing of how many
        };
    }

    /** Checks the bound for each half-open interval of one window's length. */
    private static long inAnyWindow(Policy policy, long[] instants) {
        long violations = 0;
        int first = 0;
        for (int last = 0; last < instants.length; last++) {
            while (instants[first] <= instants[last] - policy.windowMicros()) {
                first++;
            }
            violations += last - first + 1 > policy.rules().mostInAnyWindow() ? 1 : 0;
        }
        return violations;
    }

    /**
     * At most {@code B + floor(length / T)} in each closed interval of any length:
     * {@code (n - B) · W <= length · L}. For every last admission only the first counts that
     * leaves it the least room.
     */
    private static long inAnyInterval(Policy policy, long[] instants) {
        boolean queue = policy.algorithm() == Algorithm.LEAKY_BUCKET;
        long burst = queue ? 1 : policy.capacity();
        // Slots are exact and told rounded up, so that two may seem a microsecond closer than
        // they are.
        long rounding = queue ? policy.limit() - 1 : 0;
        long violations = 0;
        long tightest = Long.MIN_VALUE;
        for (int i = 0; i < instants.length; i++) {
            long virtual = Math.subtractExact(
                    Math.multiplyExact(instants[i] - instants[0], policy.limit()),
                    Math.multiplyExact((long) i, policy.windowMicros()));
            tightest = Math.max(tightest, virtual);
            violations += virtual + rounding < tightest + (1 - burst) * policy.windowMicros() ? 1 : 0;
        }
        return violations;
    }
}
