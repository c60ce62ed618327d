package dev.limiter.benchmarks;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * A goal.
 *
 * @param row of the table of goals, from 1
 * @param subject the measured competitor, and its reference
 * @param bound the side on which the figure has to be
 * @param target the figure
 * @param unit the text behind a figure, such as {@code " ×"}
 * @param counted whether the figure is a count, which no machine can make wrong: the run fails at a
 *     miss
 */
record Goal(int row, String subject, Bound bound, double target, String unit, boolean counted) {
    private static final int DIGITS = 3;

    Goal(int row, String subject, Bound bound, double target, String unit) {
        this(row, subject, bound, target, unit, false);
    }

    enum Bound {
        AT_MOST("≤"),
        AT_LEAST("≥");

        private final String sign;

        Bound(String sign) {
            this.sign = sign;
        }
    }

    String text() {
        return bound.sign + " " + plain(BigDecimal.valueOf(target)) + unit;
    }

    boolean isMetBy(double figure) {
        return bound == Bound.AT_MOST ? figure <= target : figure >= target;
    }

    /**
     * {@code met}, or {@code missed by 4.2 %} of the target; a miss is never rounded to nothing.
     */
    String verdict(double figure) {
        if (isMetBy(figure)) {
            return "met";
        }
        if (!Double.isFinite(figure) || target == 0) {
            return "**missed**";
        }
        BigDecimal exact = BigDecimal.valueOf(target);
        BigDecimal percent = BigDecimal.valueOf(figure)
                .subtract(exact)
                .abs()
                .movePointRight(2)
                .divide(exact, 1, RoundingMode.CEILING);
        return "**missed by " + percent + " %**";
    }

    /** A figure to three digits, rounded away from the goal. */
    String format(double figure) {
        if (Double.isNaN(figure) || Double.isInfinite(figure)) {
            return "–";
        }
        RoundingMode against = bound == Bound.AT_MOST ? RoundingMode.CEILING : RoundingMode.FLOOR;
        BigDecimal exact = BigDecimal.valueOf(figure);
        int wholeDigits = exact.precision() - exact.scale();
        int scale = Math.max(0, Math.min(DIGITS, DIGITS - wholeDigits));
        return plain(exact.setScale(scale, against));
    }

    /** The figure with separators of thousands. */
    private static String plain(BigDecimal figure) {
        BigDecimal whole = figure.setScale(0, RoundingMode.DOWN);
        return figure.compareTo(whole) == 0
                ? String.format(Locale.ROOT, "%,d", whole.toBigInteger())
                : figure.toPlainString();
    }
}
