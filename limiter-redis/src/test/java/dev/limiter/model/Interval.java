package dev.limiter.model;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.ZERO;
import static java.math.BigInteger.valueOf;

import dev.limiter.Check;
import dev.limiter.Policy;
import java.math.BigInteger;

/**
 * A {@code TOKEN_BUCKET} whose tokens come back together.
 *
 * @param lastMicros the last refill, or when the first token was taken from the full bucket;
 *     without meaning while it is full
 * @param fullMicros when it is full again at the latest: under the limit with which the tokens
 *     were taken
 * @param used tokens that are missing from a full bucket
 */
record Interval(long lastMicros, long fullMicros, long used) implements State {
    static final Interval FRESH = new Interval(0, 0, 0);

    @Override
    public Interval repaired(Check check, long nowMicros) {
        return used > 0 && lastMicros > nowMicros
                ? new Interval(nowMicros, nowMicros + fullMicros - lastMicros, used)
                : this;
    }

    private Interval at(Check check, long nowMicros) {
        if (used == 0 || nowMicros >= fullMicros) {
            return new Interval(nowMicros, nowMicros, 0);
        }
        Policy policy = check.policy();
        long refills = Math.floorDiv(nowMicros - lastMicros, policy.windowMicros());
        long missing = valueOf(used)
                .subtract(valueOf(refills).multiply(valueOf(policy.limit())))
                .max(ZERO)
                .longValueExact();
        return missing == 0
                ? new Interval(nowMicros, nowMicros, 0)
                : new Interval(lastMicros + refills * policy.windowMicros(), fullMicros, missing);
    }

    /** When a bucket of this phase is full that lacks this number of tokens. */
    private static BigInteger full(long last, long missing, Policy policy) {
        BigInteger limit = valueOf(policy.limit());
        BigInteger refills = valueOf(missing).add(limit).subtract(ONE).divide(limit);
        return valueOf(last).add(refills.multiply(valueOf(policy.windowMicros())));
    }

    @Override
    public boolean fits(Check check, long nowMicros) {
        return holds(check.policy().borrow() ? 1 : check.cost(), check, nowMicros);
    }

    @Override
    public boolean holds(long units, Check check, long nowMicros) {
        return at(check, nowMicros).used + units <= check.policy().burst();
    }

    @Override
    public Interval taken(Check check, long nowMicros) {
        return at(check, nowMicros).with(check.cost(), check.policy());
    }

    @Override
    public Charged charged(long units, Check check, long nowMicros) {
        Interval present = at(check, nowMicros);
        long charged = Math.min(units, Math.max(0, 2 * check.policy().burst() - present.used));
        return charged == 0 ? new Charged(this, 0) : new Charged(present.with(charged, check.policy()), charged);
    }

    /** Gives back nothing after a refill, which has given back already. */
    @Override
    public Refunded refunded(Check check, State then, long nowMicros) {
        long sinceMicros = nowMicros - lastMicros;
        boolean samePhase = lastMicros == ((Interval) then).lastMicros
                && sinceMicros >= 0
                && sinceMicros < check.policy().windowMicros();
        long back = samePhase ? Math.min(check.cost(), used) : 0;
        long earliest = full(lastMicros, used - back, check.policy())
                .min(valueOf(fullMicros))
                .longValueExact();
        return back > 0
                ? new Refunded(new Interval(lastMicros, earliest, used - back), true)
                : new Refunded(this, false);
    }

    private Interval with(long tokens, Policy policy) {
        long full = full(lastMicros, used + tokens, policy).longValueExact();
        return new Interval(lastMicros, full, used + tokens);
    }
}
