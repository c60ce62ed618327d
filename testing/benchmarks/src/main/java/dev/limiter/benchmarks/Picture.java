package dev.limiter.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Draws the checks a second of every competitor, with the limiter's as 100 %, as SVG. */
final class Picture {
    private static final int PANEL = 410;
    private static final int BAR = 200;
    private static final int ROW = 20;
    private static final int TOP = 62;
    /** Follows the reader's choice of light or dark. */
    private static final String FRAME = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 %1$d" width="820" height="%1$d" role="img">
            <title>Checks a second beside the peers</title>
            <style>
              text { font: 12px system-ui, sans-serif; fill: #24292f }
              .title { font-weight: 600; font-size: 14px }
              .head { font-weight: 600 }
              .ours { fill: #0969da }
              .peer { fill: #8c959f }
              @media (prefers-color-scheme: dark) {
                text { fill: #e6edf3 }
                .ours { fill: #58a6ff }
                .peer { fill: #6e7681 }
              }
            </style>
            <text class="title" x="10" y="22">Checks a second, the limiter's = 100 %%</text>
            <text x="10" y="40">medians of pairs that were measured side by side; longer is faster</text>
            %2$s</svg>
            """;

    private final Samples samples;
    private final StringBuilder panels = new StringBuilder();

    private Picture(Samples samples) {
        this.samples = samples;
    }

    /** The text of an SVG file. */
    static String of(Samples samples) {
        Picture picture = new Picture(samples);
        int height = (picture.shares(Series.ONE_CORE).size() + 1) * ROW + 30;
        picture.panel(Series.ONE_CORE, 0, TOP);
        picture.panel(Series.manyKeys(Crew.PLATFORM), PANEL, TOP);
        picture.panel(Series.manyKeys(Crew.VIRTUAL), 0, TOP + height);
        picture.panel(Series.hotKey(Crew.VIRTUAL), PANEL, TOP + height);
        return FRAME.formatted(TOP + 2 * height, picture.panels);
    }

    private void panel(String series, int x, int y) {
        draw("<text class=\"head\" x=\"%d\" y=\"%d\">%s</text>", x + 10, y + 14, series);
        Map<String, Double> shares = shares(series);
        double most = shares.values().stream()
                .collect(Collectors.summarizingDouble(share -> share))
                .getMax();
        int at = y;
        for (String who : shares.keySet()) {
            double share = shares.get(who);
            at += ROW;
            draw("<text x=\"%d\" y=\"%d\">%s</text>", x + 10, at + 14, who);
            long length = Math.max(1, Math.round(BAR * share / most));
            String kind = who.equals(Who.GCRA) ? "ours" : "peer";
            draw("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"14\"/>", kind, x + 150, at + 3, length);
            String percent = share < 0.095 ? "%.1f %%" : "%.0f %%";
            draw("<text x=\"%d\" y=\"%d\">" + percent + "</text>", x + 156 + length, at + 14, 100 * share);
        }
    }

    /** Those that were measured. */
    private Map<String, Double> shares(String series) {
        Map<String, Double> shares = new LinkedHashMap<>(Map.of(Who.GCRA, 1.0));
        share(series, Who.GET, "plain GET", shares);
        share(series, Who.GATEWAY, "Spring's script", shares);
        List<String> peers = Who.peers(samples, series);
        peers.stream().filter(peer -> !peer.equals(Who.GATEWAY)).forEach(peer -> share(series, peer, peer, shares));
        return shares;
    }

    private void share(String series, String who, String called, Map<String, Double> shares) {
        double[] ratios = series.equals(Series.ONE_CORE)
                ? samples.ratios(series, Who.GCRA, who, Metric.NANOS) // as its goals are measured
                : samples.ratios(series, who, Who.GCRA, Metric.CHECKS);
        Quartiles.of(ratios).ifPresent(spread -> shares.put(called, spread.median()));
    }

    private void draw(String element, Object... values) {
        panels.append(String.format(Locale.ROOT, element, values)).append('\n');
    }
}
