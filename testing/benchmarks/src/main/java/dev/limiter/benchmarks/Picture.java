package dev.limiter.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws the checks a second of every competitor, with the limiter's as 100 %, as SVG. */
final class Picture {
    private static final int WIDTH = 820;
    private static final int PANEL = WIDTH / 2;
    private static final int LEFT = 150;
    private static final int BAR = 200;
    private static final int ROW = 20;
    private static final int TOP = 62;
    /** Follows the reader's choice of light or dark. */
    private static final String STYLE = """
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
            """;

    private final Samples samples;
    private final StringBuilder svg = new StringBuilder();

    private Picture(Samples samples) {
        this.samples = samples;
    }

    /** The text of an SVG file. */
    static String of(Samples samples) {
        return new Picture(samples).draw();
    }

    private String draw() {
        List<String> series = List.of(
                Series.ONE_CORE,
                Series.manyKeys(Crew.PLATFORM),
                Series.manyKeys(Crew.VIRTUAL),
                Series.hotKey(Crew.VIRTUAL));
        int panelHeight = (rows(Series.ONE_CORE).size() + 1) * ROW + 30;
        int height = TOP + 2 * panelHeight;
        line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">"
                .formatted(WIDTH, height, WIDTH, height));
        line("<title>Checks a second beside the peers</title>");
        svg.append(STYLE);
        text(10, 22, "title", "Checks a second, the limiter's = 100 %");
        text(10, 40, "", "medians of pairs that were measured side by side; longer is faster");
        for (int i = 0; i < series.size(); i++) {
            panel(series.get(i), i % 2 * PANEL, TOP + i / 2 * panelHeight);
        }
        line("</svg>");
        return svg.toString();
    }

    private void panel(String series, int x, int y) {
        Map<String, Double> rows = rows(series);
        double most = rows.values().stream()
                .mapToDouble(share -> share)
                .filter(share -> !Double.isNaN(share))
                .max()
                .orElse(1);
        text(x + 10, y + 14, "head", series);
        int at = y + ROW;
        for (Map.Entry<String, Double> row : rows.entrySet()) {
            text(x + 10, at + 14, "", row.getKey());
            if (!row.getValue().isNaN()) {
                int length = (int) Math.max(1, Math.round(BAR * row.getValue() / most));
                line("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
                        .formatted(row.getKey().equals(Who.GCRA) ? "ours" : "peer", x + LEFT, at + 3, length, ROW - 6));
                text(x + LEFT + length + 6, at + 14, "", percent(row.getValue()));
            }
            at += ROW;
        }
    }

    private Map<String, Double> rows(String series) {
        Map<String, Double> rows = new LinkedHashMap<>();
        rows.put(Who.GCRA, 1.0);
        rows.put("plain GET", share(series, Who.GET));
        rows.put("Spring's script", share(series, Who.GATEWAY));
        List<String> peers = new ArrayList<>(Who.peers(samples, series));
        peers.remove(Who.GATEWAY);
        peers.forEach(peer -> rows.put(peer, share(series, peer)));
        return rows;
    }

    private double share(String series, String who) {
        return series.equals(Series.ONE_CORE)
                ? Quartiles.median(samples.ratios(series, Who.GCRA, who, Metric.NANOS)) // as its goals are measured
                : Quartiles.median(samples.ratios(series, who, Who.GCRA, Metric.CHECKS));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.095 ? "%.1f %%" : "%.0f %%", 100 * share);
    }

    private void text(int x, int y, String kind, String words) {
        String as = kind.isEmpty() ? "" : " class=\"" + kind + '"';
        line("<text" + as + " x=\"" + x + "\" y=\"" + y + "\">" + words + "</text>");
    }

    private void line(String element) {
        svg.append(element).append('\n');
    }
}
