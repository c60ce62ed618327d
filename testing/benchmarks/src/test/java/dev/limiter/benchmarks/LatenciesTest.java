package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LatenciesTest {

    @Test
    void theLongestSpanHasABucket() {
        Latencies latencies = new Latencies();
        latencies.record(Long.MAX_VALUE);
        assertThat(latencies.meanNanos(1)).isEqualTo((double) Long.MAX_VALUE);
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
