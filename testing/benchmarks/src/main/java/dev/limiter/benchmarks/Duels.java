package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Measures the blocks of a series, round after round. A ratio is of slices that lie side by side. A
 * fixed load that is not ours is measured between the blocks: a block is dropped if the machine was
 * unusually fast or slow before or behind it.
 */
final class Duels<T> {
    /** What wakes threads and connections is this part of the slice that follows. */
    private static final int BRIEFLY = 8;

    static final int WARM_UPS = 4;

    private final Mode mode;
    private final String series;
    private final Meter<T> meter;
    private final DoubleSupplier speed;
    private final Output output;
    private final Set<Contender<T>> unfit = new HashSet<>();

    /** @param speed measures the fixed load */
    Duels(Mode mode, String series, Meter<T> meter, DoubleSupplier speed, Output output) {
        this.mode = mode;
        this.series = series;
        this.meter = meter;
        this.speed = speed;
        this.output = output;
    }

    /** A block with the speed of the fixed load before it and behind it. */
    private record Measured(String block, double before, double after, List<Sample> samples) {
        boolean isKept(double usual, double factor) {
            return Double.isInfinite(factor)
                    || DoubleStream.of(before, after)
                            .allMatch(speed -> speed <= usual * factor && usual <= speed * factor);
        }
    }

    /** @param variants blocks of the same names, which take turns from round to round */
    void run(List<List<Block<T>>> variants, int rounds, Duration slice) {
        variants.stream()
                .flatMap(List::stream)
                .flatMap(Block::contenders)
                .distinct()
                .forEach(contender -> ask(contender, mode.warmUp()));
        DoubleStream.generate(speed).limit(WARM_UPS).sum(); // it is compiled before it judges
        List<Measured> all = new ArrayList<>();
        double before = speed.getAsDouble();
        for (int round = 0; round < rounds; round++) {
            for (Block<T> block : blocks(variants.get(round % variants.size()))) {
                List<Sample> samples = measure(block, slice);
                double after = speed.getAsDouble();
                all.add(new Measured(block.text(), before, after, samples));
                before = after;
            }
        }
        tell(all);
    }

    /** A smoke run measures nothing twice. */
    private List<Block<T>> blocks(List<Block<T>> all) {
        return mode == Mode.SMOKE ? all.stream().map(Block::once).distinct().toList() : all;
    }

    /** Of each block, half has to be kept. */
    private void tell(List<Measured> all) {
        double usual =
                Quartiles.median(all.stream().mapToDouble(Measured::after).toArray());
        int kept = 0;
        Map<String, List<Measured>> byBlock = all.stream().collect(Collectors.groupingBy(Measured::block));
        for (Map.Entry<String, List<Measured>> block : byBlock.entrySet()) {
            List<Measured> rounds = block.getValue();
            List<Measured> enough = rounds.stream()
                    .filter(each -> each.isKept(usual, mode.factor()))
                    .toList();
            if (2 * enough.size() < rounds.size()) {
                output.remark("the machine was too uneven in \"" + series + "\": " + enough.size() + " of "
                        + rounds.size() + " rounds were kept of " + block.getKey());
            }
            kept += enough.size();
        }
        all.stream()
                .filter(each -> each.isKept(usual, mode.factor()))
                .flatMap(each -> each.samples().stream())
                .forEach(output::sample);
        all.forEach(each -> tell(Who.FIXED_LOAD, Metric.CHECKS, each.after()));
        tell(Who.FIXED_LOAD, Metric.BLOCKS, all.size());
        tell(Who.FIXED_LOAD, Metric.KEPT, kept);
    }

    private void tell(String who, String metric, double value) {
        output.sample(Sample.of(series, who, metric, value));
    }

    private List<Sample> measure(Block<T> block, Duration slice) {
        List<Sample> samples = new ArrayList<>();
        leadIn(block, slice);
        Map<String, Double> before = measure(block.pivot(), slice, samples);
        for (Contender<T> other : block.others()) {
            Map<String, Double> figures = measure(other, slice, samples);
            Map<String, Double> after = measure(block.pivot(), slice, samples);
            for (String metric : figures.keySet()) {
                double beside = (before.getOrDefault(metric, 0.0) + after.getOrDefault(metric, 0.0)) / 2;
                if (beside > 0 && figures.get(metric) > 0) {
                    samples.add(new Sample(
                            series, other.name(), block.pivot().name(), metric, figures.get(metric) / beside));
                }
            }
            before = after;
        }
        return samples;
    }

    /** In turn, so that the last window of each has the traffic that its slices have, too. */
    private void leadIn(Block<T> block, Duration slice) {
        long began = System.nanoTime();
        while (System.nanoTime() - began < block.leadIn().toNanos()) {
            block.contenders().forEach(contender -> measure(contender, slice, new ArrayList<>()));
        }
    }

    private Map<String, Double> measure(Contender<T> contender, Duration slice, List<Sample> samples) {
        ask(contender, slice.dividedBy(BRIEFLY));
        Map<String, Double> figures = ask(contender, slice);
        figures.forEach((metric, value) -> samples.add(Sample.of(series, contender.name(), metric, value)));
        return figures;
    }

    /** Empty if it does not answer. Then it is a remark, and it is not asked any more. */
    private Map<String, Double> ask(Contender<T> contender, Duration slice) {
        try {
            return unfit.contains(contender) ? Map.of() : meter.measure(contender.subject(), slice);
        } catch (RuntimeException failed) {
            unfit.add(contender);
            output.remark(contender.name() + " gave up in \"" + series + "\": " + failed);
            return Map.of();
        }
    }
}
