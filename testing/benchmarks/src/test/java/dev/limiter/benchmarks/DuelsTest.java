package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class DuelsTest {
    private static final Duration SLICE = Duration.ofSeconds(1);

    private final Samples samples = new Samples();
    private final List<String> order = new ArrayList<>();

    private record Figures(String name, Deque<Double> left) {}

    @Test
    void aRatioIsThatToTheSlicesOnBothSides() {
        Contender<Figures> pivot = contender("pivot", 10, 20, 30);
        Contender<Figures> one = contender("one", 30);
        Contender<Figures> other = contender("other", 50);

        duel(DoubleStream.generate(() -> 1), 1, Block.of(pivot, one, other));

        assertThat(samples.ratios("s", "one", "pivot", Metric.CHECKS)).containsExactly(2);
        assertThat(samples.ratios("s", "other", "pivot", Metric.CHECKS)).containsExactly(2);
        assertThat(samples.of("s", "pivot", Metric.CHECKS)).containsExactly(10, 20, 30);
    }

    @Test
    void slicesOfBothLieSideBySide() {
        Contender<Figures> pivot = contender("pivot", 1);
        duel(DoubleStream.generate(() -> 1), 1, Block.of(pivot, contender("a", 1), contender("b", 1)));
        assertThat(order.subList(order.size() - 5, order.size())).containsExactly("pivot", "a", "pivot", "b", "pivot");
    }

    @Test
    void aBlockBesideAnUnusualMachineIsDroppedAndCounted() {
        Contender<Figures> pivot = contender("pivot", 1);
        Contender<Figures> other = contender("other", 1);

        // The machine is slow between the second round and the third.
        duel(speeds(100, 100, 100, 50, 100, 100), 5, Block.of(pivot, other));

        assertThat(samples.ratios("s", "other", "pivot", Metric.CHECKS)).hasSize(3);
        assertThat(samples.of("s", Who.FIXED_LOAD, Metric.BLOCKS)).containsExactly(5);
        assertThat(samples.of("s", Who.FIXED_LOAD, Metric.KEPT)).containsExactly(3);
        assertThat(samples.remarks()).isEmpty();
    }

    @Test
    void aBlockOfWhichLessThanHalfIsKeptIsARemark() {
        duel(speeds(100, 50, 100, 100, 100, 50), 5, Block.of(contender("pivot", 1), contender("other", 1)));

        assertThat(samples.remarks())
                .containsExactly("the machine was too uneven in \"s\": 2 of 5 rounds were kept of pivot | other");
    }

    @Test
    void aSmokeRunMeasuresNothingTwiceAndKeepsABlockBesideAMachineThatStoodStill() {
        Contender<Figures> other = contender("other", 1);
        Block<Figures> block = Block.of(contender("pivot", 1), other, other);
        duel(Mode.SMOKE, speeds(0, 100), List.of(block, block));

        assertThat(samples.ratios("s", "other", "pivot", Metric.CHECKS)).hasSize(1);
        assertThat(samples.remarks()).isEmpty();
    }

    @Test
    void whatFailsIsARemarkAndIsNotAskedAgain() {
        Contender<Figures> pivot = contender("pivot", 1);
        duel(DoubleStream.generate(() -> 1), 2, Block.of(pivot, contender("mute"), contender("other", 2)));
        assertThat(samples.remarks()).hasSize(1).first().asString().startsWith("mute gave up in \"s\"");
        assertThat(order).containsOnlyOnce("mute");
        assertThat(samples.ratios("s", "other", "pivot", Metric.CHECKS)).containsExactly(2, 2);
    }

    @Test
    void longChainsAreSeveralBlocksWithTheSamePivot() {
        Contender<Figures> pivot = contender("pivot", 1);
        List<Contender<Figures>> others =
                List.of(contender("a", 1), contender("b", 1), contender("c", 1), contender("d", 1), contender("e", 1));
        assertThat(Block.chain(pivot, others))
                .extracting(block -> block.others().size())
                .containsExactly(4, 1);
    }

    /** Of the fixed load, once it is compiled. */
    private static DoubleStream speeds(double... speeds) {
        return DoubleStream.concat(DoubleStream.generate(() -> 1).limit(Duels.WARM_UPS), DoubleStream.of(speeds));
    }

    private void duel(DoubleStream speeds, int rounds, Block<Figures> block) {
        duel(Mode.WHOLE, speeds, Collections.nCopies(rounds, block));
    }

    private void duel(Mode mode, DoubleStream speeds, List<Block<Figures>> blocks) {
        PrimitiveIterator.OfDouble speed = speeds.iterator();
        new Duels<>(mode, "s", this::measure, speed::nextDouble, new Output(line -> Output.read(line, samples)))
                .run(List.of(blocks), 1, SLICE);
    }

    /** Only a whole slice takes a figure; the last one stays. */
    private Map<String, Double> measure(Figures figures, Duration slice) {
        if (!slice.equals(SLICE) && !figures.left.isEmpty()) {
            return Map.of();
        }
        order.add(figures.name);
        return Map.of(Metric.CHECKS, figures.left.size() > 1 ? figures.left.removeFirst() : figures.left.getFirst());
    }

    private static Contender<Figures> contender(String name, double... figures) {
        return new Contender<>(
                name,
                new Figures(name, DoubleStream.of(figures).boxed().collect(Collectors.toCollection(ArrayDeque::new))));
    }
}
