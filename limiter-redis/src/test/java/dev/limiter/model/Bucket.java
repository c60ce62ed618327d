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
        return tat.backlog(policy, nowMicros);
    }

    /** {@code units · T}. */
    static BigInteger span(long units, Policy policy) {
        return valueOf(units).multiply(valueOf(policy.windowMicros()));
    }

    @Override
    public final Bucket repaired(Check check, long nowMicros) {
        Tat repaired = tat.repaired(check.policy(), nowMicros);
        return repaired == tat ? this : with(repaired);
    }

    /** More units than an instant of this limit can say are not written. */
    @Override
    public final State kept(State before, long nowMicros) {
        return tat.micros() - nowMicros == Tat.LONGEST ? before : this;
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
        Bucket repaired = repaired(check, nowMicros);
        BigInteger backlog = repaired.backlog(policy, nowMicros);
        BigInteger back = left.backlog(policy, nowMicros)
                .subtract(faster(policy, nowMicros - left.at()))
                .max(ZERO)
                .min(span(check.cost(), policy));
        boolean tooMany = repaired.kept(this, nowMicros) != repaired;
        if (!isRefundable(tat, left) || tooMany || back.signum() == 0 || backlog.signum() == 0) {
            return new Refunded(this, false);
        }
        BigInteger rest = backlog.subtract(back).max(ZERO);
        // A bucket that has got everything back is equal to one that was never asked.
        return new Refunded(rest.signum() == 0 ? with(Tat.LONG_AGO) : written(rest, policy, nowMicros), true);
    }

    /**
     * What may have leaked beyond the time that has passed, if a higher limit has written this
     * since: at most as if it had been a whole multiple, all the time.
     */
    private BigInteger faster(Policy policy, long passedMicros) {
        if (!tat.isVaried(policy)) {
            return ZERO;
        }
        long times = -Math.floorDiv(-tat.denominator(), policy.limit());
        return valueOf(Math.max(0, passedMicros)).multiply(valueOf((times - 1) * policy.limit()));
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
