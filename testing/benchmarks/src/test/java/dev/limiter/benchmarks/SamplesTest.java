package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SamplesTest {
    private final Samples samples = new Samples();

    @Test
    void aSampleSurvivesTheWayBetweenTwoProcesses() {
        Sample sample = new Sample("one thread, one core", "limiter GCRA", Metric.NANOS, 3, 12_345.678);
        assertThat(Sample.parse(sample.line())).contains(sample);
        assertThat(Sample.parse("WARNING: something else")).isEmpty();
    }

    @Test
    void theBestPeerIsTheBestOfEachRound() {
        add("slow first", 1, 9);
        add("fast first", 8, 2);
        assertThat(samples.most("s", List.of("slow first", "fast first", "did not start"), Metric.CHECKS))
                .containsExactly(8, 9);
        assertThat(samples.least("s", List.of("slow first", "fast first"), Metric.CHECKS))
                .containsExactly(1, 2);
    }

    @Test
    void remarksOfAChildReachTheReader() {
        Output.read("remark\tRedisson did not start", samples);
        assertThat(samples.remarks()).containsExactly("Redisson did not start");
    }

    private void add(String competitor, double... rounds) {
        for (int round = 0; round < rounds.length; round++) {
            samples.add(new Sample("s", competitor, Metric.CHECKS, round, rounds[round]));
        }
    }
}
