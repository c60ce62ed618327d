package dev.limiter;

/**
 * The answer to one check: whether it was admitted, what is left, and how long to wait.
 *
 * <p>GCRA, 5 per 10 s with burst 5, the first request after rest: admitted, {@code remaining} 4,
 * {@code retryAfterMicros} 0, {@code nextAfterMicros} 2,000,000, {@code resetAfterMicros}
 * 2,000,000.
 *
 * <p>All spans are whole microseconds from the instant of the decision, rounded up, so that
 * waiting for them is always enough. There are two exceptions: a
 * {@linkplain RateLimiter#peek peek} after the limit was raised, and {@code CONCURRENCY}, which
 * cannot know when other requests end and hints at one second.
 *
 * @param policy the policy that answers
 * @param admitted whether this policy would let the request pass; in a {@link Decision.Rejected}
 *     some policies may, but are not charged
 * @param remaining units that would pass at once after this decision;
 *     {@code 0 <= remaining <= policy.capacity()}
 * @param used units that are counted at present, at least 0: for {@code FIXED_WINDOW} exactly
 *     those of its window, also beyond the limit; for other algorithms the units missing from the
 *     capacity. In a fallback, those that this process counts, while {@code remaining} is what is
 *     left of its part of the limit
 * @param runAfterMicros how long to hold the request before it runs; 0 except on a
 *     {@code LEAKY_BUCKET} that admitted
 * @param retryAfterMicros 0 if admitted; otherwise the shortest wait after which the same request
 *     passes if no other request comes, so at least 1
 * @param nextAfterMicros time until more than {@code remaining} is there; 0 if no more will come
 * @param resetAfterMicros time until the full quota is there, for {@code LEAKY_BUCKET} until a
 *     request need not wait; 0 if it is there
 * @param fallback whether the store failed, and {@link OnStoreFailure#LOCAL} or
 *     {@link OnStoreFailure#OPEN} decided. The figures are then those of one process, or an
 *     assumption, and clients do not see them
 */
public record CheckResult(
        Policy policy,
        boolean admitted,
        long remaining,
        long used,
        long runAfterMicros,
        long retryAfterMicros,
        long nextAfterMicros,
        long resetAfterMicros,
        boolean fallback) {

    /**
     * Refuses figures that contradict each other.
     *
     * @param policy as in the record
     * @param admitted as in the record
     * @param remaining as in the record
     * @param used as in the record
     * @param runAfterMicros as in the record
     * @param retryAfterMicros as in the record
     * @param nextAfterMicros as in the record
     * @param resetAfterMicros as in the record
     * @param fallback as in the record
     * @throws IllegalArgumentException if a number is out of its range
     */
    public CheckResult {
        if (admitted != (retryAfterMicros == 0)) {
            throw new IllegalArgumentException("retryAfter is 0 exactly when admitted, was " + retryAfterMicros
                    + " µs and admitted = " + admitted);
        }
        if (remaining < 0 || remaining > policy.capacity()) {
            throw new IllegalArgumentException(
                    "remaining must be from 0 to " + policy.capacity() + " units, was " + remaining);
        }
        if (used < 0 || used > policy.capacity() && remaining > 0) {
            throw new IllegalArgumentException("used must be from 0 to " + policy.capacity()
                    + " units while some remain, were " + used + " and " + remaining + " units");
        }
        if (!fallback && used < policy.capacity() - remaining) {
            throw new IllegalArgumentException("used and remaining units of the store must be at least "
                    + policy.capacity() + ", were " + used + " and " + remaining + " units");
        }
        if (runAfterMicros < 0 || runAfterMicros > policy.maxWaitMicros()) {
            throw new IllegalArgumentException(
                    "runAfter must be from 0 to " + policy.maxWaitMicros() + " µs, was " + runAfterMicros);
        }
        if (retryAfterMicros < 0 || nextAfterMicros < 0 || resetAfterMicros < nextAfterMicros) {
            throw new IllegalArgumentException("spans must be 0 <= next <= reset and 0 <= retry, were next "
                    + nextAfterMicros + ", reset " + resetAfterMicros + ", retry " + retryAfterMicros + " µs");
        }
    }

    /**
     * {@return units that are counted beyond the limit, by {@link Enforcement#SOFT} or as debt;
     * always 0 except for {@code FIXED_WINDOW}}
     */
    public long overage() {
        return Math.max(0, used - policy.capacity());
    }

    /**
     * {@return the result of a check that passes undecided because no store could be asked: a full
     * quota}
     *
     * @param policy the limit
     */
    public static CheckResult notChecked(Policy policy) {
        return new CheckResult(policy, true, policy.capacity(), 0, 0, 0, 0, 0, true);
    }

    /**
     * Makes a result of the store, for a policy that does not hold the request before it runs.
     *
     * @param policy as in the record
     * @param admitted as in the record
     * @param remaining as in the record
     * @param retryAfterMicros as in the record
     * @param nextAfterMicros as in the record
     * @param resetAfterMicros as in the record
     */
    public CheckResult(
            Policy policy,
            boolean admitted,
            long remaining,
            long retryAfterMicros,
            long nextAfterMicros,
            long resetAfterMicros) {
        this(
                policy,
                admitted,
                remaining,
                policy.capacity() - remaining,
                0,
                retryAfterMicros,
                nextAfterMicros,
                resetAfterMicros,
                false);
    }
}
