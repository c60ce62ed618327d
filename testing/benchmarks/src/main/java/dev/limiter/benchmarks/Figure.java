package dev.limiter.benchmarks;

import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A figure by its name in a text: {@code series; who; metric}, or {@code series; who / beside whom;
 * metric} for a ratio. A form may follow.
 *
 * @param beside empty for none; {@code best peer} for the one with which it ends worst
 */
record Figure(String series, String who, String beside, String metric, String form) {
    /** What a text shows where nothing was measured. */
    static final String NONE = "–";

    private static final Pattern IN_TEXT = Pattern.compile("\\{([^{}]+)}");

    static Figure of(String text) {
        String[] parts = text.split("; ");
        String[] both = parts[1].split(" / ");
        return new Figure(
                parts[0], both[0], both.length == 1 ? "" : both[1], parts[2], parts.length == 3 ? "" : parts[3]);
    }

    /** A text with the figures that it names in braces. */
    static String fill(String text, Samples samples) {
        return IN_TEXT.matcher(text)
                .replaceAll(name -> Matcher.quoteReplacement(of(name.group(1)).text(samples)));
    }

    /** All values; empty if nothing was measured. */
    double[] values(Samples samples) {
        double[] all = beside.isEmpty()
                ? samples.of(series, who, metric)
                : samples.ratios(series, who, resolved(samples).beside, metric);
        return isCount() // to a hundredth: last calls of a slice may come after its end
                ? Quartiles.of(all).stream()
                        .mapToDouble(calls -> Math.round(calls.upper() * 100) / 1e2)
                        .toArray()
                : all;
    }

    /** Whether it is a count, of which the upper quartile decides. */
    boolean isCount() {
        return form.equals("upper quartile");
    }

    boolean isBesideTheBest() {
        return beside.equals("best peer");
    }

    /** The same, beside the best peer by its name. */
    Figure resolved(Samples samples) {
        Comparator<Figure> byMedian = Comparator.comparingDouble(each -> Quartiles.median(each.values(samples)));
        return isBesideTheBest()
                ? besidePeers(samples)
                        .min(metric.equals(Metric.NANOS) ? byMedian.reversed() : byMedian)
                        .orElse(this)
                : this;
    }

    private Stream<Figure> besidePeers(Samples samples) {
        return Who.peers(samples, series).stream()
                .map(peer -> new Figure(series, who, peer, metric, form))
                .filter(each -> each.values(samples).length > 0);
    }

    private String text(Samples samples) {
        if (beside.equals("each peer")) {
            return besidePeers(samples)
                    .map(each -> each.beside + " " + each.text(samples))
                    .collect(Collectors.joining(", "));
        }
        double median = Quartiles.median(values(samples));
        return text(
                switch (form) {
                    case "millions" -> median / 1e6;
                    case "thousands" -> Math.rint(median / 1e3) * 1e3;
                    case "a second" -> Math.rint(1e6 / median / 1e3) * 1e3;
                    default -> median;
                });
    }

    /** Three digits, or all before the point. */
    static String text(double figure) {
        if (Double.isNaN(figure)) {
            return NONE;
        }
        return String.format(Locale.ROOT, figure >= 100 ? "%,.0f" : figure >= 10 ? "%.1f" : "%.2f", figure);
    }
}
