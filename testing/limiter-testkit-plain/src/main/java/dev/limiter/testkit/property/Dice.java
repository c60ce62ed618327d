package dev.limiter.testkit.property;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The draws of one case. Dice with equal seeds give the same draws in the same order. Not safe for
 * use by several threads.
 *
 * <p>{@code new Dice(7).between(1, 6)} is a number from 1 to 6, the same in every run.
 */
public final class Dice {
    private static final int BITS = 64;

    private final SplittableRandom random;

    /**
     * @param seed any number
     */
    public Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /**
     * True in so many of a hundred draws.
     *
     * @param percent 0 is never, 100 is always
     */
    public boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /**
     * A value of these. A value that is listed twice is twice as likely.
     *
     * @throws IllegalArgumentException if there are none
     */
    @SafeVarargs
    public final <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }

    /**
     * An element of this list.
     *
     * @throws IllegalArgumentException if the list is empty
     */
    public <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /**
     * A number from {@code least} to {@code most}, each as likely as another.
     *
     * @throws IllegalArgumentException if {@code most} is below {@code least}
     */
    public long between(long least, long most) {
        if (most < least) {
            throw new IllegalArgumentException("most must be at least " + least + ", was " + most);
        }
        if (most < Long.MAX_VALUE) {
            return random.nextLong(least, most + 1);
        }
        return least == Long.MIN_VALUE ? random.nextLong() : random.nextLong(least - 1, most) + 1;
    }

    /**
     * A number from {@code least} to {@code most} that is often an edge. A quarter of the draws are
     * {@code least}, {@code most}, or the number beside them. A quarter are a power of two, with 1
     * more or less. A quarter have a distance from {@code least} of which each length in bits is as
     * likely. The others are as {@link #between}. A draw outside the range is replaced by {@link
     * #between}, too.
     *
     * @throws IllegalArgumentException if {@code most} is below {@code least}
     */
    public long number(long least, long most) {
        long any = between(least, most);
        return switch (random.nextInt(4)) {
            case 0 -> outermost(least, most);
            case 1 -> within(least, most, (1L << random.nextInt(BITS - 1)) + random.nextInt(3) - 1, any);
            case 2 -> within(least, most, least + (random.nextLong() >>> 1 + random.nextInt(BITS - 1)), any);
            default -> any;
        };
    }

    private long outermost(long least, long most) {
        return least == most ? least : oneOf(least, least + 1, most - 1, most);
    }

    private static long within(long least, long most, long number, long otherwise) {
        return number >= least && number <= most ? number : otherwise;
    }

    /**
     * A list of {@code least} to {@code most} elements; each length is as likely as another.
     *
     * @throws IllegalArgumentException if {@code most} is below {@code least}
     */
    public <T> List<T> list(int least, int most, Generator<? extends T> elements) {
        List<T> list = new ArrayList<>();
        for (long left = between(least, most); left > 0; left--) {
            list.add(elements.draw(this));
        }
        return List.copyOf(list);
    }
}
