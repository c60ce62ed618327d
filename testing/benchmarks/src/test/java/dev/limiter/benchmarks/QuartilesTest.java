package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class QuartilesTest {

    @Test
    void theMiddleOfAnOddNumberIsOneOfThem() {
        assertThat(Quartiles.of(5, 1, 3, 2, 4)).contains(new Quartiles(2, 3, 4));
    }

    @Test
    void theMiddleOfAnEvenNumberLiesBetweenTwo() {
        assertThat(Quartiles.of(4, 1, 3, 2)).contains(new Quartiles(1.75, 2.5, 3.25));
    }

    @Test
    void nothingMeasuredIsNoFigure() {
        assertThat(Quartiles.of()).isEmpty();
        assertThat(Quartiles.median(new double[0])).isNaN();
    }
}
