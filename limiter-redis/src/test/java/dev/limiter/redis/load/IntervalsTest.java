package dev.limiter.redis.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A checker that cannot fail would prove nothing. */
class IntervalsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void oneTooManyInAnyWindowIsSeen() {
        Policy log = Policy.of("p", Algorithm.SLIDING_LOG, 2, SECOND);
        assertThat(Intervals.violations(log, new long[] {0, 999_999, 1_000_000}))
                .isZero();
        assertThat(Intervals.violations(log, new long[] {0, 500_000, 999_999})).isEqualTo(1);
    }

    @Test
    void aFixedWindowMayHoldTwiceItsLimitAndNoMore() {
        Policy window = Policy.of("p", Algorithm.FIXED_WINDOW, 1, SECOND);
        assertThat(Intervals.violations(window, new long[] {0, 1})).isZero();
        assertThat(Intervals.violations(window, new long[] {0, 1, 2})).isEqualTo(1);
    }

    @Test
    void aBucketThatAdmitsAMicrosecondTooEarlyIsSeen() {
        Policy three = Policy.of("p", Algorithm.GCRA, 3, SECOND).withBurst(2);
        assertThat(Intervals.violations(three, new long[] {0, 0, 333_334, 666_667, 1_000_000}))
                .isZero();
        assertThat(Intervals.violations(three, new long[] {0, 0, 333_333})).isEqualTo(1);
        assertThat(Intervals.violations(three, new long[] {0, 0, 333_334, 666_666}))
                .isEqualTo(1);
    }

    @Test
    void slotsToldRoundedUpMaySeemAMicrosecondCloserAndNoMore() {
        Policy queue = Policy.leakyBucket("p", 3, SECOND, SECOND);
        assertThat(Intervals.violations(queue, new long[] {0, 333_334, 666_667, 1_000_000}))
                .isZero();
        assertThat(Intervals.violations(queue, new long[] {0, 333_334, 666_666}))
                .isEqualTo(1);
    }
}
