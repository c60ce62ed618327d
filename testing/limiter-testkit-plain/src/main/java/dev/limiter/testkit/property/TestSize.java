package dev.limiter.testkit.property;

/**
 * How much a test does. A test names its full size, that of {@code mvn -Pproof verify}. The system
 * property {@code test.percent} scales it: 5 in {@code mvn verify}, 100 in {@code -Pproof}, 1000 in
 * {@code -Psoak}.
 */
public final class TestSize {
    /** The system property. */
    static final String PERCENT = "test.percent";

    /** That of {@code mvn verify}, for a test that an IDE runs. */
    private static final String SMALL = "5";

    private TestSize() {}

    /**
     * The part of a full size that this run does, rounded up: 175 of 3,500 at 5 percent.
     *
     * @param full at least 1
     * @throws IllegalArgumentException if {@code full} or the system property is below 1 or no
     *     whole number
     */
    public static int of(int full) {
        int percent = percent();
        return Math.toIntExact(((long) atLeastOne("a full size", full) * percent + 99) / 100);
    }

    private static int percent() {
        String text = System.getProperty(PERCENT, SMALL);
        try {
            return atLeastOne(PERCENT, Integer.parseInt(text));
        } catch (NumberFormatException unreadable) {
            throw new IllegalArgumentException(PERCENT + " must be a whole number, was \"" + text + "\"", unreadable);
        }
    }

    private static int atLeastOne(String what, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, was " + number);
        }
        return number;
    }
}
