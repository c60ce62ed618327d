package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SpreadTest {

    @Test
    void theMiddleOfAnOddNumberIsOneOfThem() {
        assertThat(Spread.of(5, 1, 3)).contains(new Spread(1, 3, 5));
    }

    @Test
    void theMiddleOfAnEvenNumberLiesBetweenTwo() {
        assertThat(Spread.of(4, 1, 3, 2)).contains(new Spread(1, 2.5, 4));
    }

    @Test
    void nothingMeasuredIsNoFigure() {
        assertThat(Spread.of()).isEmpty();
        assertThat(Spread.ofRatios(new double[] {1}, new double[0])).isEmpty();
    }

    @Test
    void ratiosAreTakenWithinARound() {
        // The machine was twice as slow in the second round, for both.
        assertThat(Spread.ofRatios(new double[] {10, 20}, new double[] {5, 10})).contains(new Spread(2, 2, 2));
    }
}
