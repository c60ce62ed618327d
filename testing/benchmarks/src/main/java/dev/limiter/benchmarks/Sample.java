package dev.limiter.benchmarks;

import java.util.Optional;

/**
 * A figure of a competitor, or its ratio to the figure of another one, as a line of text between
 * two processes.
 *
 * @param series the measurements of one run
 * @param against the other competitor of a ratio; empty for a figure
 */
record Sample(String series, String competitor, String against, String metric, double value) {
    private static final String MARK = "sample";

    static Sample of(String series, String competitor, String metric, double value) {
        return new Sample(series, competitor, "", metric, value);
    }

    String line() {
        return String.join("\t", MARK, series, competitor, against, metric, Double.toString(value));
    }

    /** The sample in a line, if it has one. */
    static Optional<Sample> parse(String line) {
        String[] parts = line.split("\t");
        if (parts.length != 6 || !parts[0].equals(MARK)) {
            return Optional.empty();
        }
        return Optional.of(new Sample(parts[1], parts[2], parts[3], parts[4], Double.parseDouble(parts[5])));
    }
}
