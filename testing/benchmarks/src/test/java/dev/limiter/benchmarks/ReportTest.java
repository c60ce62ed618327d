package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ReportTest {
    private final Samples samples = new Samples();

    @Test
    void everyGoalIsThereAlsoWhenNothingWasMeasured() {
        String document = document();
        for (int row = 1; row <= 8; row++) {
            assertThat(document).contains("| " + row + " | ");
        }
        assertThat(document).contains("**not measured**").doesNotContain("| met |");
    }

    @Test
    void aPeerThatDidNotStartIsToldOf() {
        samples.remark("Redisson 4.7.0 did not start: out of luck");
        assertThat(document()).contains("- Redisson 4.7.0 did not start: out of luck");
    }

    @Test
    void withoutVirtualThreadsTheirRowsSayWhy() {
        assertThat(document()).contains("**not run: no JDK 21 or newer**");
    }

    @Test
    void aMissedGoalSaysMissedBesideItsFigures() {
        for (int round = 0; round < 5; round++) {
            samples.add(new Sample(Series.ONE_CORE, Who.GCRA, Metric.NANOS, round, 30_000 + round));
            samples.add(new Sample(Series.ONE_CORE, Who.GET_8, Metric.NANOS, round, 20_000));
        }
        assertThat(document())
                .contains(
                        "| 1 | limiter GCRA against GET, one thread on one core | ≤ 1.25 × | 1.50 / **1.51** / 1.51 × |"
                                + " **missed by 20.1 %** |");
    }

    @Test
    void whatLimitsAFigureNamesAGoalThatThereIs() {
        assertThat(Goals.of(samples).stream().map(row -> row.goal().subject()))
                .containsAll(Limits.bySubject().keySet())
                .doesNotHaveDuplicates();
    }

    private String document() {
        Environment environment = new Environment(
                LocalDate.EPOCH,
                2,
                "a processor",
                "4 GiB",
                "Linux",
                "7.0.15",
                new Jdk(Path.of("/no/such/jdk")),
                Optional.empty(),
                List.of());
        return new Report(environment, Mode.SHORT, Duration.ofSeconds(300), samples).markdown();
    }
}
