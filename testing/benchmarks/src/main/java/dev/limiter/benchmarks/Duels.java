package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/**
 * Measures the blocks of a series, round after round. A ratio is of slices that lie side by side. A
 * block is dropped if the machine was unusually fast or slow before or behind it.
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

    /**
     * @param speed measures the fixed load
     */
    Duels(Mode mode, String series, Meter<T> meter, DoubleSupplier speed, Output output) {
        this.mode = mode;
        this.series = series;
        this.meter = meter;
        this.speed = speed;
        this.output = output;
    }

    /**
     * @param variants blocks of the same names, which take turns from round to round
     */
    void run(List<List<Block<T>>> variants, int rounds, Duration slice) {
        variants.stream()
                .flatMap(List::stream)
                .flatMap(Block::contenders)
                .distinct()
                .forEach(this::warm);
        warmSpeed();
        List<Calibration.Measured> all = new ArrayList<>();
        double before = speed.getAsDouble();
        for (int round = 0; round < rounds; round++) {
            for (Block<T> block : variants.get(round % variants.size())) {
                List<Sample> samples = measure(block, slice);
                double after = speed.getAsDouble();
                all.add(new Calibration.Measured(block.text(), before, after, samples));
                before = after;
            }
        }
        List<Calibration.Measured> kept = mode.calibration().kept(all);
        kept.forEach(block -> block.samples().forEach(output::sample));
        remarkOnDropped(all, kept);
        all.forEach(block -> output.sample(Sample.of(series, Who.FIXED_LOAD, Metric.CHECKS, block.after())));
        output.sample(Sample.of(series, Who.FIXED_LOAD, Metric.BLOCKS, all.size()));
        output.sample(Sample.of(series, Who.FIXED_LOAD, Metric.KEPT, kept.size()));
    }

    /** Of each block, half has to be kept. */
    private void remarkOnDropped(List<Calibration.Measured> all, List<Calibration.Measured> kept) {
        Map<String, Long> measured = count(all);
        Map<String, Long> left = count(kept);
        measured.forEach((block, rounds) -> {
            long enough = left.getOrDefault(block, 0L);
            if (2 * enough < rounds) {
                output.remark("the machine was too uneven in \"" + series + "\": " + enough + " of " + rounds
                        + " rounds were kept of " + block);
            }
        });
    }

    private static Map<String, Long> count(List<Calibration.Measured> blocks) {
        return blocks.stream().collect(Collectors.groupingBy(Calibration.Measured::block, Collectors.counting()));
    }

    /** The fixed load is compiled before it judges. */
    private void warmSpeed() {
        for (int i = 0; i < WARM_UPS; i++) {
            speed.getAsDouble();
        }
    }

    private void warm(Contender<T> contender) {
        try {
            meter.measure(contender.subject(), mode.warmUp());
        } catch (RuntimeException failed) {
            giveUp(contender, failed);
        }
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

    /** Empty if it does not answer. Then it is a remark, and it is not asked any more. */
    private Map<String, Double> measure(Contender<T> contender, Duration slice, List<Sample> samples) {
        if (unfit.contains(contender)) {
            return Map.of();
        }
        try {
            meter.measure(contender.subject(), slice.dividedBy(BRIEFLY));
            Map<String, Double> figures = new LinkedHashMap<>(meter.measure(contender.subject(), slice));
            figures.forEach((metric, value) -> samples.add(Sample.of(series, contender.name(), metric, value)));
            return figures;
        } catch (RuntimeException failed) {
            giveUp(contender, failed);
            return Map.of();
        }
    }

    private void giveUp(Contender<T> contender, RuntimeException failed) {
        unfit.add(contender);
        output.remark(contender.name() + " gave up in \"" + series + "\": " + failed);
    }
}
