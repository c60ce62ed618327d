package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class GoalTest {
    private static final Goal AT_MOST = new Goal(1, "a check", Goal.Bound.AT_MOST, 1.25, " ×");
    private static final Goal AT_LEAST = new Goal(2, "throughput", Goal.Bound.AT_LEAST, 2.5, " ×");

    @Test
    void whatReachesTheTargetExactlyMeetsIt() {
        assertThat(AT_MOST.verdict(1.25)).isEqualTo("met");
        assertThat(AT_LEAST.verdict(2.5)).isEqualTo("met");
    }

    @Test
    void aMissSaysByHowMuch() {
        assertThat(AT_MOST.verdict(1.50)).isEqualTo("**missed by 20.0 %**");
        assertThat(AT_LEAST.verdict(2.0)).isEqualTo("**missed by 20.0 %**");
    }

    @Test
    void aNarrowMissIsAMissAndLooksLikeOne() {
        assertThat(AT_MOST.verdict(1.2500001)).isEqualTo("**missed by 0.1 %**");
        assertThat(AT_MOST.format(1.2500001)).isEqualTo("1.26");
        assertThat(AT_LEAST.verdict(2.4999999)).isEqualTo("**missed by 0.1 %**");
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
    void nothingIsAllowedWhereTheTargetIsNothing() {
        Goal none = new Goal(4, "commands", Goal.Bound.AT_MOST, 0, "");
        assertThat(none.verdict(0)).isEqualTo("met");
        assertThat(none.verdict(0.0001)).isEqualTo("**missed**");
    }

    @Test
    void whatWasNotMeasuredIsNotMet() {
        assertThat(AT_MOST.verdict(Double.NaN)).isEqualTo("**missed**");
        assertThat(new Row(AT_MOST, Optional.empty(), "").markdown(null))
                .isEqualTo("| 1 | a check | ≤ 1.25 × | – | **not measured** |  |");
    }

    @Test
    void theMedianDecides() {
        assertThat(new Row(AT_MOST, Quartiles.of(1.1, 1.2, 1.9), "ns / ns").markdown(null))
                .isEqualTo("| 1 | a check | ≤ 1.25 × | 1.15 / **1.20** / 1.55 × | met | ns / ns |");
        assertThat(new Row(AT_MOST, Quartiles.of(1.1, 1.3, 1.9), "ns / ns").markdown(null))
                .contains("**missed by 4.0 %**");
    }

    @Test
    void aWrongCountFailsTheRunAndASlowMachineDoesNot() {
        Goal count = new Goal(9, "calls", Goal.Bound.AT_MOST, 1, "", true);
        assertThat(new Row(count, Quartiles.of(2), "").fails()).isTrue();
        assertThat(new Row(count, Quartiles.of(1), "").fails()).isFalse();
        assertThat(new Row(AT_MOST, Quartiles.of(99), "").fails()).isFalse();
        assertThat(new Row(AT_MOST, Optional.empty(), "").fails()).isTrue();
    }

    @Test
    void aQuotientStandsOnceInRowsThatShareIt() {
        Row row = new Row(AT_MOST, Quartiles.of(1.1, 1.2, 1.9), "ns / ns");
        assertThat(row.markdown(row)).endsWith("| met | |");
    }
}
