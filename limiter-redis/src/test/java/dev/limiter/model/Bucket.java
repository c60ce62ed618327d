package dev.limiter.model;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.ZERO;
import static java.math.BigInteger.valueOf;

import dev.limiter.Check;
import dev.limiter.Policy;
import java.math.BigInteger;

/**
 * A backlog that is worked off with the clock: one instant. All spans are in {@code 1 / limit}
 * µs.
 */
abstract class Bucket implements State {
    private final Tat tat;

    Bucket(Tat tat) {
        this.tat = tat;
    }

    /** A bucket of the same kind. */
    abstract Bucket with(Tat other);

    /** The backlog of a bucket that is spent. */
    abstract BigInteger content(Policy policy);

    /** Whether a check may still be given back that left the bucket at that instant. */
    abstract boolean isRefundable(Tat present, Tat then);

    final BigInteger backlog(Policy policy, long nowMicros) {
        return tat.backlog(policy.limit(), nowMicros);
    }

    /** {@code units · T}. */
    static BigInteger span(long units, Policy policy) {
        return valueOf(units).multiply(valueOf(policy.windowMicros()));
    }

    @Override
    public final Bucket repaired(Check check, long nowMicros) {
        Tat repaired = tat.repaired(check.policy().limit(), nowMicros);
        return repaired == tat ? this : with(repaired);
    }

    @Override
    public final Bucket taken(Check check, long nowMicros) {
        Policy policy = check.policy();
        BigInteger backlog = backlog(policy, nowMicros).add(span(check.cost(), policy));
        return written(backlog, policy, nowMicros);
    }

    @Override
    public final Charged charged(long units, Check check, long nowMicros) {
        Policy policy = check.policy();
        BigInteger backlog = backlog(policy, nowMicros);
        BigInteger room = content(policy).shiftLeft(1).subtract(backlog);
        if (room.signum() <= 0) {
            return new Charged(this, 0);
        }
        long whole = room.divide(span(1, policy)).min(valueOf(units)).longValueExact();
        return new Charged(written(backlog.add(room.min(span(units, policy))), policy, nowMicros), whole);
    }

    @Override
    public final Refunded refunded(Check check, State then, long nowMicros) {
        Policy policy = check.policy();
        Tat left = ((Bucket) then).tat;
        BigInteger backlog = tat.repaired(policy.limit(), nowMicros).backlog(policy.limit(), nowMicros);
        BigInteger back = left.backlog(policy.limit(), nowMicros).min(span(check.cost(), policy));
        if (!isRefundable(tat, left) || back.signum() == 0 || backlog.signum() == 0) {
            return new Refunded(this, false);
        }
        BigInteger rest = backlog.subtract(back).max(ZERO);
        // A bucket that has got everything back is equal to one that was never asked.
        return new Refunded(rest.signum() == 0 ? with(Tat.LONG_AGO) : written(rest, policy, nowMicros), true);
    }

    private Bucket written(BigInteger backlog, Policy policy, long nowMicros) {
        return with(Tat.ahead(backlog, policy.limit(), nowMicros));
    }

    /** The backlog in whole µs, rounded up. */
    final long backlogMicros(Policy policy, long nowMicros) {
        BigInteger limit = valueOf(policy.limit());
        return backlog(policy, nowMicros).add(limit).subtract(ONE).divide(limit).longValueExact();
    }
}
