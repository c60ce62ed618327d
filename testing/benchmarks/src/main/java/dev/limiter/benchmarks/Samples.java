package dev.limiter.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;

/** All figures of a run, by series, competitor and metric, and remarks on missing ones. */
final class Samples {
    private final Map<String, List<Sample>> bySeries = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();

    void add(Sample sample) {
        bySeries.computeIfAbsent(sample.series(), series -> new ArrayList<>()).add(sample);
    }

    /** Adds a remark for the reader of the figures, such as a peer that did not start. */
    void remark(String text) {
        remarks.add(text);
    }

    List<String> remarks() {
        return List.copyOf(remarks);
    }

    Set<String> series() {
        return new LinkedHashSet<>(bySeries.keySet());
    }

    Set<String> competitors(String series) {
        Set<String> names = new LinkedHashSet<>();
        bySeries.getOrDefault(series, List.of()).forEach(sample -> names.add(sample.competitor()));
        return names;
    }

    /** The figures in the order of their rounds; empty if there are none. */
    double[] of(String series, String competitor, String metric) {
        return bySeries.getOrDefault(series, List.of()).stream()
                .filter(sample -> sample.competitor().equals(competitor)
                        && sample.metric().equals(metric))
                .mapToDouble(Sample::value)
                .toArray();
    }

    /** Round by round the most of several competitors, those left out that have no figures. */
    double[] most(String series, List<String> competitors, String metric) {
        return inEachRound(series, competitors, metric, Math::max);
    }

    /** Round by round the least of several competitors, those left out that have no figures. */
    double[] least(String series, List<String> competitors, String metric) {
        return inEachRound(series, competitors, metric, Math::min);
    }

    private double[] inEachRound(String series, List<String> competitors, String metric, DoubleBinaryOperator better) {
        return competitors.stream()
                .map(competitor -> of(series, competitor, metric))
                .filter(figures -> figures.length > 0)
                .reduce((one, other) -> {
                    double[] both = Arrays.copyOf(one, Math.min(one.length, other.length));
                    Arrays.setAll(both, round -> better.applyAsDouble(one[round], other[round]));
                    return both;
                })
                .orElseGet(() -> new double[0]);
    }
}
