package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProcessTimeTest {

    @Test
    void theNameOfTheProgramMayHaveBlanksAndBrackets() {
        assertThat(ProcessTime.micros("17 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 250 50 1 2 20 0 9"))
                .isEqualTo(3_000_000);
    }
}
