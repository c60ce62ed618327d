package dev.limiter.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.spi.Rate.Span;
import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The rate against plain arithmetic without bounds. */
class RateTest {
    private static final long MAX_COUNT = (1L << 31) - 1;
    private static final long MAX_WINDOW = 366L * 24 * 3600 * 1_000_000;

    @Property
    void theTimeOfUnitsIsExact(
            @ForAll @LongRange(min = 1, max = MAX_COUNT) long limit,
            @ForAll @LongRange(min = 1, max = MAX_WINDOW) long window,
            @ForAll @LongRange(min = 0, max = MAX_COUNT) long wanted) {
        long units = Math.min(wanted, mostUnits(limit, window));
        Span span = new Rate(limit, window).timeOf(units);
        assertThat(exact(span, limit)).isEqualTo(BigInteger.valueOf(units).multiply(BigInteger.valueOf(window)));
        assertThat(span.part()).isBetween(0L, limit - 1);
    }

    @Property
    void unitsInASpanAreAsManyAsFitAndNotOneMore(
            @ForAll @LongRange(min = 1, max = MAX_COUNT) long limit,
            @ForAll @LongRange(min = 1, max = MAX_WINDOW) long window,
            @ForAll @LongRange(min = 0, max = 1L << 51) long wanted) {
        long micros = Math.min(
                wanted, new Rate(limit, window).timeOf(mostUnits(limit, window)).micros());
        Span span = new Span(micros, wanted % limit);
        BigInteger units = BigInteger.valueOf(new Rate(limit, window).unitsIn(span));
        BigInteger one = BigInteger.valueOf(window);
        assertThat(units.multiply(one)).isLessThanOrEqualTo(exact(span, limit));
        assertThat(units.add(BigInteger.ONE).multiply(one)).isGreaterThan(exact(span, limit));
    }

    @Property
    void sumsAndDifferencesAreExact(
            @ForAll @LongRange(min = 1, max = MAX_COUNT) long limit,
            @ForAll @LongRange(min = 0, max = 1L << 51) long a,
            @ForAll @LongRange(min = 0, max = 1L << 51) long b) {
        Rate rate = new Rate(limit, 1);
        Span x = new Span(a, b % limit);
        Span y = new Span(b, a % limit);
        assertThat(exact(rate.plus(x, y), limit)).isEqualTo(exact(x, limit).add(exact(y, limit)));
        assertThat(exact(rate.minus(x, y), limit)).isEqualTo(exact(x, limit).subtract(exact(y, limit)));
        assertThat(x.atMost(y)).isEqualTo(exact(x, limit).compareTo(exact(y, limit)) <= 0);
    }

    @Test
    void aMillionUnitsAtThreePerSecondDriftByNothing() {
        Rate rate = new Rate(3, 1_000_000);
        Span sum = Span.ZERO;
        for (int i = 0; i < 1_000_000; i++) {
            sum = rate.plus(sum, rate.timeOf(1));
        }
        assertThat(sum).isEqualTo(new Span(333_333_333_333L, 1));
    }

    /** As many as a policy can have: no more than 2^31, and no longer than 2^51 µs. */
    private static long mostUnits(long limit, long window) {
        BigInteger longest = BigInteger.ONE.shiftLeft(51).multiply(BigInteger.valueOf(limit));
        return longest.divide(BigInteger.valueOf(window))
                .min(BigInteger.valueOf(MAX_COUNT))
                .longValueExact();
    }

    private static BigInteger exact(Span span, long limit) {
        return BigInteger.valueOf(span.micros())
                .multiply(BigInteger.valueOf(limit))
                .add(BigInteger.valueOf(span.part()));
    }
}
