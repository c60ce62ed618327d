package dev.limiter.benchmarks;

import java.util.Optional;

/**
 * One figure of one competitor in one round, as a line of text between two processes.
 *
 * @param series the measurements of one run
 * @param round from 0; figures of the same round may be divided by each other
 */
record Sample(String series, String competitor, String metric, int round, double value) {
    private static final String MARK = "sample";

    String line() {
        return String.join("\t", MARK, series, competitor, metric, Integer.toString(round), Double.toString(value));
    }

    /** The sample in a line, if it has one. */
    static Optional<Sample> parse(String line) {
        String[] parts = line.split("\t");
        if (parts.length != 6 || !parts[0].equals(MARK)) {
            return Optional.empty();
        }
        return Optional.of(
                new Sample(parts[1], parts[2], parts[3], Integer.parseInt(parts[4]), Double.parseDouble(parts[5])));
    }
}
