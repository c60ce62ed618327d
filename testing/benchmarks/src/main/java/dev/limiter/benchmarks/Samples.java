package dev.limiter.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;

/** All figures and ratios of a run, and remarks on missing ones. */
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

    /** The names of the quantities of a series, in the order in which they were told. */
    Set<String> metrics(String series) {
        Set<String> metrics = new LinkedHashSet<>();
        bySeries.getOrDefault(series, List.of()).forEach(sample -> metrics.add(sample.metric()));
        metrics.remove(Metric.ANSWERED);
        return metrics;
    }

    /** The figures of a competitor; empty if there are none. */
    double[] of(String series, String competitor, String metric) {
        return values(series, competitor, "", metric).toArray();
    }

    /** The ratios of a competitor to another one, whichever of them was the pivot. */
    double[] ratios(String series, String competitor, String against, String metric) {
        double[] inverse = values(series, against, competitor, metric).toArray();
        return inverse.length > 0
                ? Arrays.stream(inverse).map(ratio -> 1 / ratio).toArray()
                : values(series, competitor, against, metric).toArray();
    }

    private DoubleStream values(String series, String competitor, String against, String metric) {
        return bySeries.getOrDefault(series, List.of()).stream()
                .filter(sample -> sample.competitor().equals(competitor)
                        && sample.against().equals(against)
                        && sample.metric().equals(metric))
                .mapToDouble(Sample::value);
    }
}
