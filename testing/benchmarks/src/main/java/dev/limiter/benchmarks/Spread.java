package dev.limiter.benchmarks;

import java.util.Arrays;
import java.util.Optional;

/** The least, the median and the most of the figures of several rounds. */
record Spread(double min, double median, double max) {

    /** Empty if there are no figures. */
    static Optional<Spread> of(double... figures) {
        if (figures.length == 0) {
            return Optional.empty();
        }
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return Optional.of(new Spread(sorted[0], median, sorted[sorted.length - 1]));
    }

    /**
     * Divides round by round: figures of the same round were measured within a second of each
     * other.
     *
     * @return empty if either has no figures
     */
    static Optional<Spread> ofRatios(double[] numerators, double[] denominators) {
        double[] ratios = new double[Math.min(numerators.length, denominators.length)];
        Arrays.setAll(ratios, round -> numerators[round] / denominators[round]);
        return of(ratios);
    }
}
