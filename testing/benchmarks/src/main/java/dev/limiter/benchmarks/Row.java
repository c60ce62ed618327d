package dev.limiter.benchmarks;

import java.util.Optional;

/**
 * A goal with its measurement.
 *
 * @param measured empty if there is none
 * @param how the quotient, or why there is no figure
 */
record Row(Goal goal, Optional<Quartiles> measured, String how) {

    boolean isMissed() {
        return measured.isPresent() && !goal.isMetBy(measured.get().median());
    }

    /** Whether the run fails: a count is wrong, or nothing was measured. */
    boolean fails() {
        return goal.counted() && isMissed() || measured.isEmpty();
    }

    /**
     * A line of the table in docs/benchmarks/last-run.md. The median decides.
     *
     * @param above the line above, whose quotient is not repeated; null for the first
     */
    String markdown(Row above) {
        String figures = measured.map(spread -> goal.format(spread.lower()) + " / **" + goal.format(spread.median())
                        + "** / " + goal.format(spread.upper()) + goal.unit())
                .orElse("–");
        String told = above != null && above.how.equals(how) ? "" : ' ' + how;
        return "| " + goal.row() + " | " + goal.subject() + " | " + goal.text() + " | " + figures + " | " + verdict()
                + " |" + told + " |";
    }

    private String verdict() {
        return measured.map(spread -> goal.verdict(spread.median())).orElse("**not measured**");
    }
}
