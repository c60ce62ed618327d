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
        assertThat(report().goals().lines().skip(1))
                .hasSize(Goal.all().size())
                .allSatisfy(row -> assertThat(row).contains(",–,–,–,not measured,"));
        assertThat(Goal.all()).extracting(Goal::what).doesNotHaveDuplicates();
    }

    @Test
    void aPeerThatDidNotStartIsToldOf() {
        samples.remark("Redisson 4.7.0 did not start: out of luck");
        assertThat(report().conditions()).endsWith("\nnot as expected,Redisson 4.7.0 did not start: out of luck\n");
    }

    @Test
    void withoutVirtualThreadsTheirRowsSayWhy() {
        assertThat(report().conditions()).contains("\nJDK of the virtual threads,not run: no JDK 21 or newer\n");
    }

    @Test
    void theBestPeerIsTheOneWhoseDuelsEndWorst() {
        ratios("slow peer", 0.5, 0.5, 9);
        ratios("fast peer", 0.9, 0.9, 0.9);
        samples.add(Sample.of(Series.ONE_CORE, "slow peer", Metric.NANOS, 1));
        samples.add(Sample.of(Series.ONE_CORE, "fast peer", Metric.NANOS, 1));
        assertThat(report().goals()).contains(",0.900 ×,0.900 ×,0.900 ×,met,ns a check; the best: fast peer,\n");
    }

    @Test
    void droppedBlocksAreTold() {
        samples.add(Sample.of(Series.ONE_CORE, Who.FIXED_LOAD, Metric.BLOCKS, 40));
        samples.add(Sample.of(Series.ONE_CORE, Who.FIXED_LOAD, Metric.KEPT, 33));
        assertThat(report().conditions()).contains("\ndropped,7 of 40 blocks");
    }

    @Test
    void aGoalWithoutAFigureFails() {
        ratios(Who.byHand(Who.GCRA), 1, 1);
        assertThat(report().failures())
                .hasSize(Goal.all().size() - 1)
                .allSatisfy(row -> assertThat(row).contains("not measured"));
    }

    @Test
    void aRemarkFailsAndSoDoesWhoDoesNotAnswerOrAdmit() {
        samples.remark("Redisson gave up");
        samples.add(Sample.of(Series.ONE_CORE, "mute", Metric.UNANSWERED, 3));
        samples.add(Sample.of(Series.ONE_CORE, "spent", Metric.REJECTED, 3));
        samples.add(Sample.of(Series.ONE_CORE, "sound", Metric.UNANSWERED, 0.5));
        samples.add(Sample.of(Series.ONE_CORE, Who.REMEMBERED, Metric.REJECTED, 100));
        assertThat(report().failures())
                .filteredOn(failure -> !failure.contains("not measured"))
                .satisfiesExactly(
                        remark -> assertThat(remark).isEqualTo("Redisson gave up"),
                        mute -> assertThat(mute).endsWith(", mute"),
                        spent -> assertThat(spent).endsWith(", spent"));
    }

    @Test
    void aMissedGoalSaysWhatLimitsItsFigure() {
        samples.add(Sample.of(Series.ALONE, Who.FIXED, Metric.ALLOCATED, 848));
        samples.add(Sample.of(Series.ALONE, Who.LOG, Metric.ALLOCATED, 650));
        assertThat(report().goals())
                .contains(
                        ",848 bytes,848 bytes,848 bytes,missed by 30.5 %,\"`ThreadMXBean`, admitted, one thread\",\"as for GCRA; and")
                .contains(",650 bytes,650 bytes,650 bytes,met,\"`ThreadMXBean`, admitted, one thread\",\n");
    }

    private void ratios(String reference, double... ratios) {
        for (double ratio : ratios) {
            samples.add(new Sample(Series.ONE_CORE, Who.GCRA, reference, Metric.NANOS, ratio));
        }
    }

    private Report report() {
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
        return new Report(environment, Mode.WHOLE, Duration.ofSeconds(300), samples);
    }
}
