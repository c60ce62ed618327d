package dev.limiter.testkit.property;

/**
 * A check throws this for a case that it cannot use. Such a case is not counted as a try: another
 * case is drawn in its place.
 */
public final class Discard extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Discard() {
        super("this case is discarded", null, false, false);
    }

    /**
     * Returns if the case can be used.
     *
     * @throws Discard if it cannot
     */
    public static void unless(boolean condition) {
        if (!condition) {
            throw new Discard();
        }
    }
}
