package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GoalTest {
    private static final Goal AT_MOST = Goal.of("1 | a check | ≤ 1.25 × | s; limiter GCRA / GET; ns | ns / ns", "");
    private static final Goal AT_LEAST = Goal.of("2 | throughput | ≥ 2.5 × | s; limiter GCRA / GET; ns | ns / ns", "");

    private final Samples samples = new Samples();

    @Test
    void whatReachesTheTargetExactlyMeetsIt() {
        assertThat(AT_MOST.verdict(1.25)).isEqualTo("met");
        assertThat(AT_LEAST.verdict(2.5)).isEqualTo("met");
    }

    @Test
    void aMissSaysByHowMuchAndANarrowOneLooksLikeOne() {
        assertThat(AT_MOST.verdict(1.50)).isEqualTo("missed by 20.0 %");
        assertThat(AT_LEAST.verdict(2.0)).isEqualTo("missed by 20.0 %");
        assertThat(AT_MOST.verdict(1.2500001)).isEqualTo("missed by 0.1 %");
        assertThat(AT_MOST.format(1.2500001)).isEqualTo("1.26");
        assertThat(AT_LEAST.verdict(2.4999999)).isEqualTo("missed by 0.1 %");
        assertThat(AT_LEAST.format(2.4999999)).isEqualTo("2.49");
    }

    @Test
    void figuresAreRoundedToTheSideOnWhichTheGoalIsNot() {
        assertThat(AT_MOST.format(0.6431)).isEqualTo("0.644");
        assertThat(AT_LEAST.format(3.5678)).isEqualTo("3.56");
        assertThat(AT_LEAST.format(37_123_456.7)).isEqualTo("37,123,456");
        assertThat(AT_MOST.format(0)).isEqualTo("0");
    }

    @Test
    void theMedianDecides() {
        ratios(1.1, 1.2, 1.9);
        assertThat(AT_MOST.row(samples))
                .containsExactly("1", "a check", "≤ 1.25 ×", "1.20 ×", "1.15 ×", "1.55 ×", "met", "ns / ns", "");
        ratios(1.3, 1.3);
        assertThat(AT_MOST.row(samples)).contains("missed by 4.0 %");
    }

    @Test
    void whatWasNotMeasuredIsNotMetAndFailsTheRun() {
        assertThat(AT_MOST.row(samples)).contains("–", "not measured");
        assertThat(AT_MOST.fails(samples)).isTrue();
    }

    @Test
    void aWrongCountFailsTheRunAndASlowMachineDoesNot() {
        Goal once = Goal.of("9 | calls | ≤ 1 | s; limiter GCRA; calls; upper quartile | `INFO`", "");
        Goal never = Goal.of("9 | calls | ≤ 0 | s; limiter GCRA; calls; upper quartile | `INFO`", "");
        samples.add(Sample.of("s", Who.GCRA, "calls", 1.004));
        ratios(99);
        assertThat(once.fails(samples)).isFalse();
        assertThat(never.fails(samples)).isTrue();
        assertThat(never.verdict(1)).isEqualTo("missed");
        assertThat(AT_MOST.fails(samples)).isFalse();

        samples.add(Sample.of("s", Who.GCRA, "calls", 1));
        samples.add(Sample.of("s", Who.GCRA, "calls", 1.5));
        assertThat(once.fails(samples)).as("by its upper quartile").isTrue();
    }

    private void ratios(double... ratios) {
        for (double ratio : ratios) {
            samples.add(new Sample("s", Who.GCRA, Who.GET, "ns", ratio));
        }
    }
}
