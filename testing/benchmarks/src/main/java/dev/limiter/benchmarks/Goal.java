package dev.limiter.benchmarks;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A goal: a row of {@code goals.txt}.
 *
 * @param isAtMost on which side of the target the median has to be
 * @param unit the text behind a figure, such as {@code " ×"}
 * @param limit what limits the figure; empty if that is not known
 */
record Goal(
        String number,
        String what,
        String text,
        boolean isAtMost,
        BigDecimal target,
        String unit,
        Figure figure,
        String how,
        String limit) {
    private static final Pattern TEXT = Pattern.compile("([≤≥]) ([\\d.,]+)(.*)");
    private static final int DIGITS = 3;

    static List<Goal> all() {
        List<Goal> goals = new ArrayList<>();
        String row = "";
        for (String line : Text.resource("goals.txt").lines().toList()) {
            if (line.startsWith("    ")) {
                goals.set(goals.size() - 1, of(row, line.strip()));
            } else if (!line.startsWith("#") && !line.isEmpty()) {
                row = line;
                goals.add(of(row, ""));
            }
        }
        return goals;
    }

    static Goal of(String row, String limit) {
        String[] cells = row.split(" \\| ");
        Matcher text = TEXT.matcher(cells[2]);
        if (!text.matches()) {
            throw new IllegalArgumentException("no goal: " + row);
        }
        return new Goal(
                cells[0],
                cells[1],
                cells[2],
                text.group(1).equals("≤"),
                new BigDecimal(text.group(2).replace(",", "")),
                text.group(3),
                Figure.of(cells[3]),
                cells[4],
                limit);
    }

    Optional<Quartiles> measured(Samples samples) {
        return Quartiles.of(figure.values(samples));
    }

    boolean isMissed(Samples samples) {
        return measured(samples).filter(spread -> !isMetBy(spread.median())).isPresent();
    }

    /** Whether the run fails: nothing was measured, or a count is wrong on any machine. */
    boolean fails(Samples samples) {
        return measured(samples).isEmpty() || figure.isCount() && isMissed(samples);
    }

    /** As in the table of all goals; what limits the figure only if it misses the goal. */
    List<String> row(Samples samples) {
        Optional<Quartiles> measured = measured(samples);
        Function<ToDoubleFunction<Quartiles>, String> figure =
                part -> measured.map(spread -> format(part.applyAsDouble(spread)) + unit)
                        .orElse(Figure.NONE);
        return List.of(
                number,
                what,
                text,
                figure.apply(Quartiles::median),
                figure.apply(Quartiles::lower),
                figure.apply(Quartiles::upper),
                measured.map(spread -> verdict(spread.median())).orElse("not measured"),
                how(samples),
                isMissed(samples) ? limit : "");
    }

    /** How it was measured; names the best peer. */
    String how(Samples samples) {
        Figure resolved = figure.resolved(samples);
        return Figure.fill(how, samples) + (figure.equals(resolved) ? "" : "; the best: " + resolved.beside());
    }

    /**
     * {@code met}, or {@code missed by 4.2 %} of the target; a miss is never rounded to nothing.
     */
    String verdict(double figure) {
        if (isMetBy(figure)) {
            return "met";
        }
        if (!Double.isFinite(figure) || target.signum() == 0) {
            return "missed";
        }
        BigDecimal miss = BigDecimal.valueOf(figure).subtract(target).abs();
        return "missed by " + miss.movePointRight(2).divide(target, 1, RoundingMode.CEILING) + " %";
    }

    /** A figure to three digits, rounded away from the goal. */
    String format(double figure) {
        BigDecimal exact = BigDecimal.valueOf(figure);
        int scale = Math.max(0, Math.min(DIGITS, DIGITS - exact.precision() + exact.scale()));
        BigDecimal rounded = exact.setScale(scale, isAtMost ? RoundingMode.CEILING : RoundingMode.FLOOR);
        return rounded.stripTrailingZeros().scale() <= 0
                ? String.format(Locale.ROOT, "%,d", rounded.toBigInteger())
                : rounded.toPlainString();
    }

    private boolean isMetBy(double figure) {
        return isAtMost ? figure <= target.doubleValue() : figure >= target.doubleValue();
    }
}
