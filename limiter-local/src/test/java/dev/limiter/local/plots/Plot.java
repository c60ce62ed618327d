package dev.limiter.local.plots;

import java.util.List;
import java.util.Locale;

/**
 * Draws one traffic and what each algorithm made of it, as SVG: a row each, time to the right,
 * all of it readable as text.
 */
final class Plot {
    private static final int LEFT = 230;
    private static final int RIGHT = 130;
    private static final int SECOND = 16;
    private static final int SECONDS = 40;
    private static final int TOP = 64;
    private static final int ROW = 34;
    private static final int MARK = 9;
    private static final int WIDTH = LEFT + SECONDS * SECOND + RIGHT;
    /** Follows the reader's choice of light or dark. */
    private static final String STYLE = """
            <style>
              text { font: 12px system-ui, sans-serif; fill: #24292f }
              .title { font-weight: 600; font-size: 14px }
              .axis { stroke: #8c959f; stroke-width: 1 }
              .window { stroke: #d0d7de; stroke-width: 1; stroke-dasharray: 3 3 }
              .came { stroke: #57606a; stroke-width: 1 }
              .ran { stroke: #0969da; stroke-width: 2 }
              .rejected { stroke: #cf222e; stroke-width: 1; stroke-opacity: .45 }
              @media (prefers-color-scheme: dark) {
                text { fill: #e6edf3 }
                .axis { stroke: #6e7681 }
                .window { stroke: #30363d }
                .came { stroke: #8b949e }
                .ran { stroke: #58a6ff }
                .rejected { stroke: #ff7b72 }
              }
            </style>
            """;

    private final StringBuilder svg = new StringBuilder();

    private Plot() {}

    /** The text of an SVG file. */
    static String of(Traffic traffic) {
        return new Plot().draw(traffic);
    }

    private String draw(Traffic traffic) {
        List<Contender> contenders = Contender.all();
        int height = TOP + (contenders.size() + 1) * ROW + 30;
        line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">"
                .formatted(WIDTH, height, WIDTH, height));
        line("<title>" + traffic.title() + ", limit 10 in 10 s</title>");
        svg.append(STYLE);
        text(10, 22, "title", traffic.title() + ". Limit: 10 in 10 s");
        text(10, 42, "", "blue: ran; red: rejected; beside each row how many ran, and the most in any 10 s");
        for (int second = 0; second <= SECONDS; second += 10) {
            int x = LEFT + second * SECOND;
            line("<path class=\"window\" d=\"M%d %dV%d\"/>".formatted(x, TOP, height - 24));
            text(x - 8, height - 8, "", second + " s");
        }
        int y = TOP + ROW;
        row(y, "came", traffic.arrivalsMillis().size() + " came");
        marks("came", y, -MARK, traffic.arrivalsMillis());
        for (Contender contender : contenders) {
            y += ROW;
            Course course = Course.of(contender, traffic);
            row(y, contender.label(), course.runsMillis().size() + " ran, most " + course.mostInAnyWindow());
            marks("ran", y, -MARK, course.runsMillis());
            marks("rejected", y, MARK, course.rejectedMillis());
        }
        line("</svg>");
        return svg.toString();
    }

    private void row(int y, String label, String result) {
        text(10, y + 4, "", label);
        line("<path class=\"axis\" d=\"M%d %dH%d\"/>".formatted(LEFT, y, LEFT + SECONDS * SECOND));
        text(LEFT + SECONDS * SECOND + 12, y + 4, "", result);
    }

    private void marks(String kind, int y, int length, List<Long> millis) {
        if (millis.isEmpty()) {
            return;
        }
        StringBuilder path = new StringBuilder();
        for (long at : millis) {
            path.append(String.format(Locale.ROOT, "M%.1f %dv%d", LEFT + at * SECOND / 1_000.0, y, length));
        }
        line("<path class=\"" + kind + "\" d=\"" + path + "\"/>");
    }

    private void text(int x, int y, String kind, String words) {
        String as = kind.isEmpty() ? "" : " class=\"" + kind + '"';
        line("<text" + as + " x=\"" + x + "\" y=\"" + y + "\">" + words + "</text>");
    }

    private void line(String element) {
        svg.append(element).append('\n');
    }
}
