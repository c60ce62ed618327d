package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class LatenciesTest {

    @Test
    void percentilesAreNeverTooShortAndAtMost0Point4PercentTooLong() {
        Latencies latencies = new Latencies();
        for (long micros = 1; micros <= 100_000; micros++) {
            latencies.record(micros * 1_000);
        }
        assertThat(latencies.percentileMicros(0.5)).isCloseTo(50_000, Percentage.withPercentage(0.4));
        assertThat(latencies.percentileMicros(0.5)).isGreaterThanOrEqualTo(50_000);
        assertThat(latencies.percentileMicros(0.999)).isBetween(99_900.0, 99_900 * (1 + 1 / 256.0));
    }

    @Test
    void theLongestSpanHasABucket() {
        Latencies latencies = new Latencies();
        latencies.record(Long.MAX_VALUE);
        latencies.record(0);
        assertThat(latencies.percentileMicros(1)).isEqualTo(Long.MAX_VALUE / 1e3);
        assertThat(latencies.percentileMicros(0.5)).isZero();
    }

    @Test
    void aMeanCanLeaveOutTheLongest() {
        Latencies latencies = new Latencies();
        for (int i = 0; i < 99; i++) {
            latencies.record(1_001);
        }
        latencies.record(1_000_000_000);
        assertThat(latencies.meanNanos(0.99)).isEqualTo(1_001);
        assertThat(latencies.meanNanos(1)).isEqualTo((99 * 1_001 + 1_000_000_000) / 100.0);
    }
}
