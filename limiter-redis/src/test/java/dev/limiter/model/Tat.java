package dev.limiter.model;

import static java.math.BigInteger.ZERO;
import static java.math.BigInteger.valueOf;

import java.math.BigInteger;

/**
 * The theoretical arrival time of ITU-T I.371: the instant at which a bucket is full again. It
 * lies at {@code micros + part / denominator}; a span is counted in {@code 1 / limit} µs, of
 * which one unit takes exactly {@code window}.
 *
 * @param denominator the limit under which it was written
 * @param reach how far it lay ahead when it was written, in µs and rounded up: what is further
 *     ahead now was moved there by the clock
 */
record Tat(long micros, long part, long denominator, float reach) {
    static final Tat LONG_AGO = new Tat(0, 0, 1, 0);

    /**
     * More than a float rounds off, so that no bucket looks further ahead than it was written.
     */
    private static final double ROOM = 1 + 0x1p-22;

    /** The instant that lies this far ahead of now. */
    static Tat ahead(BigInteger backlog, long limit, long nowMicros) {
        BigInteger[] micros = backlog.divideAndRemainder(valueOf(limit));
        long whole = micros[0].longValueExact();
        return new Tat(nowMicros + whole, micros[1].longValueExact(), limit, (float) (whole * ROOM + 1));
    }

    /**
     * How far ahead of now this lies, in {@code 1 / limit} µs; 0 when it is past. What cannot be
     * said so is rounded up.
     */
    BigInteger backlog(long limit, long nowMicros) {
        boolean exact = part == 0 || denominator == limit;
        BigInteger whole = valueOf((exact ? micros : micros + 1) - nowMicros);
        return whole.multiply(valueOf(limit)).add(valueOf(exact ? part : 0)).max(ZERO);
    }

    /** This instant, cut to its reach if the clock has moved it further ahead. */
    Tat repaired(long limit, long nowMicros) {
        long whole = backlog(limit, nowMicros).divide(valueOf(limit)).longValueExact();
        return whole > (double) reach ? ahead(valueOf((long) reach).multiply(valueOf(limit)), limit, nowMicros) : this;
    }

    boolean isSameInstant(Tat other) {
        return micros == other.micros && part == other.part && denominator == other.denominator;
    }
}
