package dev.limiter.model;

import static java.math.BigInteger.ZERO;
import static java.math.BigInteger.valueOf;

import dev.limiter.Policy;
import java.math.BigInteger;

/**
 * The theoretical arrival time of ITU-T I.371: the instant at which a bucket is full again. It
 * lies at {@code micros + part / denominator}; a span is counted in {@code 1 / limit} µs, of
 * which one unit takes exactly {@code window}.
 *
 * @param denominator the limit under which it was written
 * @param at the instant at which it was written
 */
record Tat(long micros, long part, long denominator, long at) {
    static final Tat LONG_AGO = new Tat(0, 0, 1, 0);

    /** The longest that the units of another limit take, in µs. */
    static final long LONGEST = 1L << 52;

    /**
     * More than a float rounds off, so that no bucket looks further ahead than it was written.
     */
    private static final double ROOM = 1 + 0x1p-22;

    /** The instant that lies this far ahead of now. */
    static Tat ahead(BigInteger backlog, long limit, long nowMicros) {
        BigInteger[] micros = backlog.divideAndRemainder(valueOf(limit));
        return new Tat(nowMicros + micros[0].longValueExact(), micros[1].longValueExact(), limit, nowMicros);
    }

    /**
     * How far ahead of now this lies, in {@code 1 / limit} µs; 0 when it is past. What cannot be
     * said so is rounded up.
     */
    private BigInteger left(long limit, long nowMicros) {
        boolean exact = part == 0 || denominator == limit;
        long whole = (exact ? micros : micros + 1) - nowMicros;
        return whole < 0 ? ZERO : valueOf(whole).multiply(valueOf(limit)).add(valueOf(exact ? part : 0));
    }

    /**
     * What is left of this under a policy, in {@code 1 / limit} µs. A unit takes as many of them
     * under each limit. So where units in use stay in use, their number is that of the limit
     * that wrote this.
     */
    BigInteger backlog(Policy policy, long nowMicros) {
        return isVaried(policy)
                ? left(denominator, nowMicros).min(valueOf(LONGEST).multiply(valueOf(policy.limit())))
                : left(policy.limit(), nowMicros);
    }

    /** Whether another limit wrote this, and the units in use count. */
    boolean isVaried(Policy policy) {
        return policy.rules().keepsUnits() && denominator != policy.limit();
    }

    /**
     * This instant, cut to how far it lay ahead when it was written, rounded up, if the clock has
     * moved it further ahead. Then as the policy would have written it.
     */
    Tat repaired(Policy policy, long nowMicros) {
        BigInteger own = valueOf(isVaried(policy) ? denominator : policy.limit());
        BigInteger reach = valueOf((long) (float) ((micros - at) * ROOM + 1)).multiply(own);
        boolean moved = left(own.longValueExact(), nowMicros).subtract(reach).compareTo(own) >= 0;
        Tat cut = moved ? ahead(reach, own.longValueExact(), nowMicros) : this;
        BigInteger backlog = cut.backlog(policy, nowMicros);
        return cut.isVaried(policy) && backlog.signum() > 0 ? ahead(backlog, policy.limit(), nowMicros) : cut;
    }

    boolean isSameInstant(Tat other) {
        return micros == other.micros && part == other.part && denominator == other.denominator;
    }
}
