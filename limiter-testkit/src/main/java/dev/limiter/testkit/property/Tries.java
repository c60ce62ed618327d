package dev.limiter.testkit.property;

/** How many cases are tried. */
final class Tries {
    /** The system property with the tries of a property without an explicit number. */
    static final String HISTORIES = "model.histories";

    /** The system property with a percentage that scales explicit numbers of tries. */
    static final String PERCENT = "property.percent";

    /** The tries of a run in an IDE, where no build sets the system property. */
    private static final int FEW_HISTORIES = 100;

    private Tries() {}

    static int histories() {
        return atLeastOne(HISTORIES, Integer.getInteger(HISTORIES, FEW_HISTORIES));
    }

    /** This number, scaled by the percentage (100 by default) and rounded up. */
    static int scaled(int tries) {
        int percent = atLeastOne(PERCENT, Integer.getInteger(PERCENT, 100));
        return Math.toIntExact(((long) tries * percent + 99) / 100);
    }

    private static int atLeastOne(String what, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, was " + number);
        }
        return number;
    }
}
