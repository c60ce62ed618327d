package dev.limiter.benchmarks;

import java.util.Arrays;
import java.util.Optional;

/** The quartiles of some figures. */
record Quartiles(double lower, double median, double upper) {

    /** Empty if there are no figures. */
    static Optional<Quartiles> of(double... figures) {
        if (figures.length == 0) {
            return Optional.empty();
        }
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return Optional.of(new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75)));
    }

    /** Not a number if there are no figures. */
    static double median(double... figures) {
        return of(figures).map(Quartiles::median).orElse(Double.NaN);
    }

    /** Between two figures, a straight line. */
    private static double at(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
