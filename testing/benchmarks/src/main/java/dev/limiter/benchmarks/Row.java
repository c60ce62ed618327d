package dev.limiter.benchmarks;

import java.util.Optional;

/**
 * A goal with its measurement.
 *
 * @param measured empty if there is none
 * @param how the quotient, or why there is no figure
 */
record Row(Goal goal, Optional<Spread> measured, String how) {

    boolean isMissed() {
        return measured.isPresent() && !goal.isMetBy(measured.get().median());
    }

    /**
     * A line of the table in docs/benchmarks/last-run.md. The median decides.
     *
     * @param above the line above, whose quotient is not repeated; null for the first
     */
    String markdown(Row above) {
        String figures = measured.map(spread -> goal.format(spread.min()) + " / **" + goal.format(spread.median())
                        + "** / " + goal.format(spread.max()) + goal.unit())
                .orElse("–");
        String verdict = measured.map(spread -> goal.verdict(spread.median())).orElse("**not measured**");
        String told = above != null && above.how.equals(how) ? "" : ' ' + how;
        return "| " + goal.row() + " | " + goal.subject() + " | " + goal.text() + " | " + figures + " | " + verdict
                + " |" + told + " |";
    }
}
