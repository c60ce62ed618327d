package dev.limiter.testkit.property;

/** A check throws this for a case of which it says nothing. Such a case is no try: another one is drawn in its place. */
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
