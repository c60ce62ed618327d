package dev.limiter.testkit.property;

import dev.limiter.testkit.property.Shrinking.Shrunk;

/**
 * The text of a failure.
 *
 * @param number of the failing case, from 1; discarded cases do not count
 * @param tries how many cases were to be tried
 * @param steps null for cases without steps
 */
record Report<T>(int number, int tries, long seed, Attempt<T> attempt, Steps<T, ?> steps) {

    /**
     * The error for the case that is shown. Its cause is what the check threw for that case. If the
     * case was shrunk, the error also has a suppressed error: what the check threw for the case as
     * drawn.
     */
    AssertionError of(Shrunk<T> shrunk) {
        AssertionError error = new AssertionError(visible(text(shrunk)), shrunk.failure());
        if (shrunk.failure() != attempt.verdict().failure()) {
            error.addSuppressed(attempt.verdict().failure());
        }
        return error;
    }

    private String text(Shrunk<T> shrunk) {
        return String.format(
                "case %,d of %,d failed; its seed is %d%nto run it again first: -D%s=%d%n%s%n%s%nfailure: %s",
                number, tries, seed, Seeds.PROPERTY, seed, heading(shrunk), shrunk.drawn(), told(shrunk.failure()));
    }

    private String heading(Shrunk<T> shrunk) {
        if (attempt.drawn() == null) {
            return "the generator failed:";
        }
        if (steps == null) {
            return "the case:";
        }
        return String.format(
                "the case, with %,d of its %,d steps%s (%,d runs to leave out the others):",
                steps.count(shrunk.drawn()),
                steps.count(attempt.drawn()),
                shrunk.complete() ? "" : ", and more could be left out",
                shrunk.runs());
    }

    private static String told(Throwable failure) {
        return failure instanceof AssertionError && failure.getMessage() != null
                ? failure.getMessage().strip()
                : failure.toString();
    }

    /**
     * The text with Java escapes for unpaired surrogates and for control characters other than line
     * breaks and tabs.
     */
    private static String visible(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            boolean breaks = point == '\n' || point == '\r' || point == '\t';
            boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
            if (half || Character.isISOControl(point) && !breaks) {
                visible.append(String.format("\\u%04x", point));
            } else {
                visible.appendCodePoint(point);
            }
        });
        return visible.toString();
    }
}
