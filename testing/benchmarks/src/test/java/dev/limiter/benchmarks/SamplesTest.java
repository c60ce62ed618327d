package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SamplesTest {
    private final Samples samples = new Samples();

    @Test
    void aSampleSurvivesTheWayBetweenTwoProcesses() {
        Sample sample = new Sample("one thread, one core", "limiter GCRA", "GET", Metric.NANOS, 12_345.678);
        assertThat(Sample.parse(sample.line())).contains(sample);
        assertThat(Sample.parse("WARNING: something else")).isEmpty();
    }

    @Test
    void aRatioCanBeAskedForFromBothSides() {
        samples.add(new Sample("s", "GET", "limiter", Metric.CHECKS, 0.5));
        assertThat(samples.ratios("s", "GET", "limiter", Metric.CHECKS)).containsExactly(0.5);
        assertThat(samples.ratios("s", "limiter", "GET", Metric.CHECKS)).containsExactly(2);
        assertThat(samples.of("s", "GET", Metric.CHECKS)).isEmpty();
    }

    @Test
    void remarksOfAChildReachTheReader() {
        Output.read("remark\tRedisson did not start", samples);
        assertThat(samples.remarks()).containsExactly("Redisson did not start");
    }
}
