package dev.limiter.testkit.property;

import java.time.Duration;

/**
 * Leaves out steps of a failing case while it fails in the same way (delta debugging): halves, then
 * quarters, at last single steps, until no step can be left out. At least one step stays.
 *
 * @param mostRuns number of checks after which the shortest case so far is taken
 * @param mostTime time after which no further check begins
 */
record Shrinking(int mostRuns, Duration mostTime) {
    static final Shrinking USUAL = new Shrinking(5_000, Duration.ofSeconds(60));

    /**
     * A case that fails.
     *
     * @param failure what the check threw for it
     * @param runs how many checks it took to find it
     * @param complete whether no single step can be left out; false if a bound ended the search
     */
    record Shrunk<T>(T drawn, Throwable failure, int runs, boolean complete) {}

    /**
     * @param drawn a case that failed
     * @param failure what the check threw for it
     */
    <T> Shrunk<T> shrink(T drawn, Throwable failure, Steps<T, ?> steps, Check<? super T> check) {
        return new Search<>(this, steps, check, drawn, failure).run();
    }

    private static final class Search<T> {
        private final Shrinking bounds;
        private final Steps<T, ?> steps;
        private final Check<? super T> check;
        private final long began = System.nanoTime();
        private T best;
        private Throwable failure;
        private int runs;

        private Search(Shrinking bounds, Steps<T, ?> steps, Check<? super T> check, T drawn, Throwable failure) {
            this.bounds = bounds;
            this.steps = steps;
            this.check = check;
            this.best = drawn;
            this.failure = failure;
        }

        private Shrunk<T> run() {
            int chunk = Math.max(1, steps.count(best) / 2);
            boolean again = true;
            while (again) {
                boolean leftOut = pass(chunk);
                again = chunk > 1 || leftOut;
                chunk = Math.max(1, chunk / 2);
            }
            return new Shrunk<>(best, failure, runs, !overBound());
        }

        /** From the end, since no step after the failing one is needed. */
        private boolean pass(int chunk) {
            boolean leftOut = false;
            for (int to = steps.count(best); to > 0 && !overBound(); to -= chunk) {
                leftOut |= leaveOut(Math.max(0, to - chunk), to);
            }
            return leftOut && !overBound();
        }

        private boolean leaveOut(int from, int to) {
            if (to - from == steps.count(best)) {
                return false;
            }
            runs++;
            T shorter;
            try {
                shorter = steps.without(best, from, to);
            } catch (RuntimeException impossible) {
                return false; // a case cannot do without these steps
            }
            Verdict verdict = Verdict.of(check, shorter);
            if (!verdict.failedLike(failure)) {
                return false;
            }
            best = shorter;
            failure = verdict.failure();
            return true;
        }

        private boolean overBound() {
            return runs >= bounds.mostRuns
                    || System.nanoTime() - began >= bounds.mostTime().toNanos();
        }
    }
}
