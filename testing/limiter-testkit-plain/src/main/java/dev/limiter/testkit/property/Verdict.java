package dev.limiter.testkit.property;

/**
 * The outcome of a check for a case.
 *
 * @param failure what the check threw; null if the property held, or if the case was discarded
 */
record Verdict(boolean discarded, Throwable failure) {
    private static final Verdict HELD = new Verdict(false, null);
    private static final Verdict DISCARDED = new Verdict(true, null);

    static <T> Verdict of(Check<? super T> check, T drawn) {
        try {
            check.of(drawn);
            return HELD;
        } catch (Discard discard) {
            return DISCARDED;
        } catch (Throwable failure) {
            return new Verdict(false, failure);
        }
    }

    /**
     * Whether this failure is of the same kind as another: both are an {@code AssertionError}, or
     * both have the same class.
     */
    boolean failedLike(Throwable other) {
        return failure instanceof AssertionError && other instanceof AssertionError
                || failure != null && failure.getClass() == other.getClass();
    }
}
