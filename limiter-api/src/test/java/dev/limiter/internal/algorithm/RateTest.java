package dev.limiter.internal.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.internal.algorithm.Rate.Span;
import dev.limiter.testkit.property.Generator;
import dev.limiter.testkit.property.Property;
import java.math.BigInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rate against plain arithmetic without bounds. */
@Tag("proof")
class RateTest {
    private static final long MAX_COUNT = (1L << 31) - 1;
    private static final long MAX_WINDOW = 366L * 24 * 3600 * 1_000_000;

    private static final long LONGEST = 1L << 51;
    private static final int TRIES = 4_000;

    /** A rate, and how many of its units are asked about. */
    record Units(long limit, long window, long wanted) {}

    /** A rate, and two spans of time. */
    record Spans(long limit, long window, long a, long b) {}

    @Test
    void theTimeOfUnitsIsExact() {
        Generator<Units> units =
                dice -> new Units(dice.number(1, MAX_COUNT), dice.number(1, MAX_WINDOW), dice.number(0, MAX_COUNT));
        Property.forAll(units).tries(TRIES).check(drawn -> {
            long asked = Math.min(drawn.wanted, mostUnits(drawn.limit, drawn.window));
            Span span = new Rate(drawn.limit, drawn.window).timeOf(asked);
            assertThat(exact(span, drawn.limit))
                    .isEqualTo(BigInteger.valueOf(asked).multiply(BigInteger.valueOf(drawn.window)));
            assertThat(span.part()).isBetween(0L, drawn.limit - 1);
        });
    }

    @Test
    void unitsInASpanAreAsManyAsFitAndNotOneMore() {
        Property.forAll(spans()).tries(TRIES).check(drawn -> {
            Rate rate = new Rate(drawn.limit, drawn.window);
            long most = rate.timeOf(mostUnits(drawn.limit, drawn.window)).micros();
            Span span = new Span(Math.min(drawn.a, most), drawn.b % drawn.limit);
            BigInteger units = BigInteger.valueOf(rate.unitsIn(span));
            BigInteger one = BigInteger.valueOf(drawn.window);
            assertThat(units.multiply(one)).isLessThanOrEqualTo(exact(span, drawn.limit));
            assertThat(units.add(BigInteger.ONE).multiply(one)).isGreaterThan(exact(span, drawn.limit));
        });
    }

    @Test
    void sumsAndDifferencesAreExact() {
        Property.forAll(spans()).tries(TRIES).check(drawn -> {
            long limit = drawn.limit;
            Rate rate = new Rate(limit, 1);
            Span x = new Span(drawn.a, drawn.b % limit);
            Span y = new Span(drawn.b, drawn.a % limit);
            assertThat(exact(rate.plus(x, y), limit)).isEqualTo(exact(x, limit).add(exact(y, limit)));
            assertThat(exact(rate.minus(x, y), limit)).isEqualTo(exact(x, limit).subtract(exact(y, limit)));
            assertThat(x.atMost(y)).isEqualTo(exact(x, limit).compareTo(exact(y, limit)) <= 0);
        });
    }

    @Test
    void unitsOfAnotherLimitTakeTheirTimeExactly() {
        Property.forAll(spans()).tries(TRIES).check(drawn -> {
            long limit = drawn.limit;
            long other = Math.min(drawn.window, MAX_COUNT);
            Span span = new Span(drawn.a, drawn.b % other);
            BigInteger longest = exact(new Span(Rate.LONGEST_MICROS, 0), limit);
            assertThat(exact(new Rate(limit, 1).ofUnitsIn(span, other), limit))
                    .isEqualTo(exact(span, other).min(longest));
        });
    }

    private static Generator<Spans> spans() {
        return dice -> new Spans(
                dice.number(1, MAX_COUNT),
                dice.number(1, MAX_WINDOW),
                dice.number(0, LONGEST),
                dice.number(0, LONGEST));
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

    /** The most units of a policy: at most 2^31, and at most 2^51 µs. */
    private static long mostUnits(long limit, long window) {
        BigInteger longest = BigInteger.valueOf(LONGEST).multiply(BigInteger.valueOf(limit));
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
