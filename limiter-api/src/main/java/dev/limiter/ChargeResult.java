package dev.limiter;

/**
 * What became of a cost that was charged afterwards. A charge is never refused. Units beyond the
 * limit are debt, at most one further full quota; what goes beyond that is dropped.
 *
 * <p>GCRA with burst 5, spent: charging 7 units charges 5, a debt as large as its capacity, and
 * drops 2.
 *
 * @param policy the policy that was charged
 * @param charged whole units that were charged; a bucket may be charged a part of a further unit
 *     to reach its bound. A {@code GATE} counts nothing: its units are the milliseconds from now
 *     for which it is closed at least
 * @param dropped units that were not charged; {@code charged + dropped} is what was asked for
 * @param remaining units that would pass at once now; 0 while there is debt
 * @param used units that are counted now: see {@link CheckResult#used}
 * @param nextAfterMicros time until more than {@code remaining} is there; 0 if no more will come
 * @param resetAfterMicros time until the full quota is there
 * @param fallback whether the store failed, and this result is true for one process only, or is an
 *     assumption: see {@link CheckResult#fallback}
 */
public record ChargeResult(
        Policy policy,
        long charged,
        long dropped,
        long remaining,
        long used,
        long nextAfterMicros,
        long resetAfterMicros,
        boolean fallback) {

    /**
     * Refuses figures that contradict each other.
     *
     * @param policy as in the record
     * @param charged as in the record
     * @param dropped as in the record
     * @param remaining as in the record
     * @param used as in the record
     * @param nextAfterMicros as in the record
     * @param resetAfterMicros as in the record
     * @param fallback as in the record
     * @throws IllegalArgumentException if a number is below zero, or {@code next} after
     *     {@code reset}
     */
    public ChargeResult {
        if (charged < 0 || dropped < 0 || remaining < 0 || used < 0) {
            throw new IllegalArgumentException("units must not be below zero, were charged " + charged + ", dropped "
                    + dropped + ", remaining " + remaining + ", used " + used);
        }
        if (nextAfterMicros < 0 || resetAfterMicros < nextAfterMicros) {
            throw new IllegalArgumentException("spans must be 0 <= next <= reset, were next " + nextAfterMicros
                    + ", reset " + resetAfterMicros + " µs");
        }
    }

    /**
     * Makes the result of a charge in the store.
     *
     * @param policy as in the record
     * @param charged as in the record
     * @param dropped as in the record
     * @param remaining as in the record
     * @param nextAfterMicros as in the record
     * @param resetAfterMicros as in the record
     */
    public ChargeResult(
            Policy policy, long charged, long dropped, long remaining, long nextAfterMicros, long resetAfterMicros) {
        this(
                policy,
                charged,
                dropped,
                remaining,
                policy.capacity() - remaining,
                nextAfterMicros,
                resetAfterMicros,
                false);
    }

    /**
     * {@return a charge of which all units are dropped, because no store could be told of them}
     *
     * @param policy the limit
     * @param units how many
     */
    public static ChargeResult notCharged(Policy policy, long units) {
        return new ChargeResult(policy, 0, units, policy.capacity(), 0, 0, 0, true);
    }

    /** {@return units that are counted beyond the limit now: see {@link CheckResult#overage}} */
    public long overage() {
        return Math.max(0, used - policy.capacity());
    }

    /**
     * {@return a charge of 0 units, which changes nothing}
     *
     * @param state what is there, as the limiter or this process knows it
     */
    public static ChargeResult ofNothing(CheckResult state) {
        return of(0, 0, state);
    }

    /**
     * {@return a charge that left this state}
     *
     * @param charged as in the record
     * @param dropped as in the record
     * @param state what is there now
     */
    public static ChargeResult of(long charged, long dropped, CheckResult state) {
        return new ChargeResult(
                state.policy(),
                charged,
                dropped,
                state.remaining(),
                state.used(),
                state.nextAfterMicros(),
                state.resetAfterMicros(),
                state.fallback());
    }

    /**
     * Refuses units that cannot be charged, for implementations of the charge.
     *
     * @param policy the limit
     * @param units how many
     * @throws IllegalArgumentException if units are not from 0 to 2<sup>31</sup> − 1, or the
     *     policy is {@code CONCURRENCY}
     */
    public static void requireChargeable(Policy policy, long units) {
        if (policy.rules().leases()) {
            throw new IllegalArgumentException("policy \"" + policy.name()
                    + "\" is CONCURRENCY, to which no units can be charged; acquire it instead");
        }
        if (units < 0 || units > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "units on policy \"" + policy.name() + "\" must be from 0 to 2^31 - 1, were " + units);
        }
    }
}
