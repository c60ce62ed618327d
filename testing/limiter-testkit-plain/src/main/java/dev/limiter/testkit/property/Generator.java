package dev.limiter.testkit.property;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Draws cases. A generator has no state: all draws come from the dice, so that equal seeds give
 * equal cases.
 *
 * @param <T> the type of a case, whose {@code toString} is what a failure shows
 */
@FunctionalInterface
public interface Generator<T> {

    /** Draws before {@link #filter} gives up. */
    int MOST_DRAWS = 1_000;

    /** A case, from draws of these dice. */
    T draw(Dice dice);

    /** What this function makes of each case. */
    default <R> Generator<R> map(Function<? super T, ? extends R> function) {
        return dice -> function.apply(draw(dice));
    }

    /**
     * Only cases that pass this test. A case that does not pass is drawn again.
     *
     * @return a generator that throws {@link IllegalStateException} if {@value #MOST_DRAWS} draws
     *     in a row did not pass
     */
    default Generator<T> filter(Predicate<? super T> test) {
        return dice -> {
            for (int draws = 0; draws < MOST_DRAWS; draws++) {
                T drawn = draw(dice);
                if (test.test(drawn)) {
                    return drawn;
                }
            }
            throw new IllegalStateException("none of " + MOST_DRAWS + " draws passed the filter");
        };
    }

    /** Lists of {@code least} to {@code most} cases; each length is as likely as another. */
    default Generator<List<T>> list(int least, int most) {
        return dice -> dice.list(least, most, this);
    }
}
