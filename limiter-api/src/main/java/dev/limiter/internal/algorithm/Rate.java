package dev.limiter.internal.algorithm;

import java.math.BigInteger;

/**
 * {@code limit} units per {@code windowMicros}, exactly: the time of one unit,
 * {@code T = window / limit}, is kept as whole microseconds and a remainder over the limit, so
 * that a million units at 3 per second drift by 0 µs.
 *
 * @param limit units per window; {@code 1 <= limit < 2^31}
 * @param windowMicros the window; {@code 1 <= windowMicros <= 366 days}
 */
public record Rate(long limit, long windowMicros) {

    /** The longest span that {@link #ofUnitsIn} says: 142 years. */
    public static final long LONGEST_MICROS = 1L << 52;

    /**
     * {@return the time of {@code units} units, {@code units · T}; of up to 2<sup>31</sup> units
     * and 2<sup>51</sup> µs}
     *
     * @param units not negative
     */
    public Span timeOf(long units) {
        long remainder = units * (windowMicros % limit);
        return new Span(units * (windowMicros / limit) + remainder / limit, remainder % limit);
    }

    /**
     * {@return how many whole units fit into a span of this rate; 0 for a span below zero}
     *
     * @param span how long
     */
    public long unitsIn(Span span) {
        if (span.micros() < 0) {
            return 0;
        }
        if (span.micros() <= (Long.MAX_VALUE - limit) / limit) {
            return (span.micros() * limit + span.part()) / windowMicros;
        }
        return BigInteger.valueOf(span.micros())
                .multiply(BigInteger.valueOf(limit))
                .add(BigInteger.valueOf(span.part()))
                .divide(BigInteger.valueOf(windowMicros))
                .longValueExact();
    }

    /**
     * {@return the time of the units that a span of another limit stands for, exactly; no more
     * than {@link #LONGEST_MICROS}}
     *
     * @param span of a rate with the same window; not below zero
     * @param other the limit of that rate
     */
    public Span ofUnitsIn(Span span, long other) {
        long left = span.micros() % limit * other + span.part();
        long whole = span.micros() / limit;
        long micros = whole > LONGEST_MICROS / other ? LONGEST_MICROS : whole * other + left / limit;
        return micros < LONGEST_MICROS ? new Span(micros, left % limit) : new Span(LONGEST_MICROS, 0);
    }

    /**
     * {@return the sum of two spans of this rate}
     *
     * @param a the one
     * @param b the other
     */
    public Span plus(Span a, Span b) {
        return normal(a.micros() + b.micros(), a.part() + b.part());
    }

    /**
     * {@return the difference of two spans of this rate; below zero it has negative micros and a
     * positive part}
     *
     * @param a the one
     * @param b the other
     */
    public Span minus(Span a, Span b) {
        return normal(a.micros() - b.micros(), a.part() - b.part());
    }

    /**
     * A single {@code new} serves all cases, so the compiler can do without spans that no caller
     * keeps.
     */
    private Span normal(long micros, long part) {
        long carried = part < 0 ? -1 : part < limit ? 0 : 1;
        return new Span(micros + carried, part - carried * limit);
    }

    /**
     * {@code micros + part / limit} microseconds.
     *
     * @param micros the whole microseconds below, towards minus infinity
     * @param part numerator over the rate's limit; {@code 0 <= part < limit}
     */
    public record Span(long micros, long part) {

        /** No time at all. */
        public static final Span ZERO = new Span(0, 0);

        /** {@return the smallest whole number of microseconds that is not shorter} */
        public long ceil() {
            return part > 0 ? micros + 1 : micros;
        }

        /**
         * {@return whether this is not longer than another span of the same rate}
         *
         * @param other the other span
         */
        public boolean atMost(Span other) {
            return micros < other.micros || micros == other.micros && part <= other.part;
        }
    }
}
