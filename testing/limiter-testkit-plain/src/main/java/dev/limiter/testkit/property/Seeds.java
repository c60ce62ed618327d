package dev.limiter.testkit.property;

import java.util.SplittableRandom;

/**
 * The seeds of the cases of a property. The base seed is the seed of the first case. So the seed of
 * any case, given as base seed, makes that case the first.
 */
final class Seeds {
    /**
     * The system property with the base seed, a {@code long} in decimal digits. If it is not set,
     * the base seed is random.
     */
    static final String PROPERTY = "property.seed";

    private final SplittableRandom others;
    private Long first;

    Seeds(long base) {
        this.first = base;
        this.others = new SplittableRandom(base).split();
    }

    /**
     * @throws IllegalArgumentException if the system property holds anything but a whole number
     */
    static Seeds ofThisRun() {
        String base = System.getProperty(PROPERTY, "").strip();
        try {
            return new Seeds(base.isEmpty() ? new SplittableRandom().nextLong() : Long.parseLong(base));
        } catch (NumberFormatException unreadable) {
            throw new IllegalArgumentException(
                    PROPERTY + " must be a whole number from -2^63 to 2^63 - 1, was \"" + base + "\"", unreadable);
        }
    }

    long next() {
        if (first == null) {
            return others.nextLong();
        }
        long seed = first;
        first = null;
        return seed;
    }
}
