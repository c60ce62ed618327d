package dev.limiter.jaxrs.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The cost of a request is at least a unit and at most what the limit can hold, whatever its
 * value.
 */
class CostExpressionTest {
    private static final Policy TEN = Policy.of("p", Algorithm.FIXED_WINDOW, 10, Duration.ofSeconds(1));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "-                     | 4 ", // missing: the literal
                "''                    | 4 ",
                "1                     | 1 ",
                "7                     | 7 ",
                "' 7 '                 | 7 ",
                "007                   | 7 ",
                "10                    | 10",
                "11                    | 10",
                "0                     | 1 ",
                "-0                    | 1 ",
                "-5                    | 1 ",
                "-9223372036854775808  | 1 ",
                "-99999999999999999999 | 1 ",
                "9223372036854775807   | 10",
                "99999999999999999999  | 10",
                "many                  | 10", // unreadable: as dear as it gets
                "2.5                   | 10",
                "1e0                   | 10",
                "+1                    | 10",
                "0x1                   | 10",
                "٣                     | 10",
                "'1 2'                 | 10",
            })
    void whatARequestSaysIsBounded(String said, long units) {
        CostExpression cost = CostExpression.compile("{query:size|'4'}");
        assertThat(cost.fixed()).isZero();
        assertThat(cost.of(new FakeRequest().with("query:size", said), TEN)).isEqualTo(units);
    }

    /** A soft limit can hold 2^31 - 1 units of a request. A mistyped value costs less. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "-                    | 4 ",
                "0                    | 1 ",
                "-5                   | 1 ",
                "11                   | 11",
                "2147483647           | 2147483647",
                "2147483648           | 10",
                "9223372036854775807  | 10",
                "99999999999999999999 | 10",
                "many                 | 10",
                "2.5                  | 10",
            })
    void aSoftLimitCountsExactlyWhatIsANumberAndElseTheLimit(String said, long units) {
        CostExpression cost = CostExpression.compile("{query:size|'4'}");
        assertThat(cost.of(new FakeRequest().with("query:size", said), TEN.asSoft()))
                .isEqualTo(units);
    }

    @Test
    void aFixedCostIsBoundedByATierThatHoldsLess() {
        assertThat(CostExpression.compile(" 20 ").fixed()).isEqualTo(20);
        assertThat(CostExpression.compile("20").of(new FakeRequest(), TEN)).isEqualTo(10);
        assertThat(CostExpression.compile("1").of(new FakeRequest(), TEN)).isEqualTo(1);
    }

    @Test
    void aLeaseIsOneWhateverIsSaid() {
        CostExpression cost = CostExpression.compile("{query:size|'4'}");
        assertThat(cost.of(new FakeRequest().with("query:size", "9"), Policy.concurrency("p", 5)))
                .isEqualTo(1);
    }
}
