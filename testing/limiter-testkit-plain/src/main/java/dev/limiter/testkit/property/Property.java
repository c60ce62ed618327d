package dev.limiter.testkit.property;

import dev.limiter.testkit.property.Shrinking.Shrunk;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A statement that must hold for each of many random cases. Immutable; {@link #check} draws and
 * tries the cases:
 *
 * <pre>{@code
 * Property.forAll(History.histories())
 *         .tries(3_000)
 *         .leavingOut(History::steps, History::with)
 *         .check(history -> assertThat(history.live()).isNotNull());
 * }</pre>
 *
 * <p>Each case has its own seed, which a failure names. {@code -Dproperty.seed=<seed>} makes the
 * case of that seed the first case of each property that runs. Without this setting the seeds
 * differ from run to run.
 *
 * @param <T> the type of a case, whose {@code toString} is what a failure shows
 */
public final class Property<T> {
    /** The most discarded cases for each try. */
    static final int MOST_DISCARDED = 5;

    private static final int USUAL_TRIES = 1_000;

    private final Generator<? extends T> generator;
    private final int tries;
    private final Steps<T, ?> steps;
    private final Shrinking shrinking;

    private Property(Generator<? extends T> generator, int tries, Steps<T, ?> steps, Shrinking shrinking) {
        this.generator = generator;
        this.tries = tries;
        this.steps = steps;
        this.shrinking = shrinking;
    }

    /** A property with 1,000 tries at full size, see {@link #tries}. */
    public static <T> Property<T> forAll(Generator<? extends T> generator) {
        return new Property<>(generator, TestSize.of(USUAL_TRIES), null, Shrinking.USUAL);
    }

    /**
     * Tries this number of cases at full size. {@link TestSize} scales it.
     *
     * @param number at least 1
     */
    public Property<T> tries(int number) {
        return new Property<>(generator, TestSize.of(number), steps, shrinking);
    }

    /**
     * Shrinks a failing case: the failure shows it without the steps that it does not need to fail.
     * At least one step stays.
     *
     * @param stepsOf the steps of a case, in order
     * @param with the same case with fewer steps
     */
    public <S> Property<T> leavingOut(Function<T, List<S>> stepsOf, BiFunction<T, List<S>, T> with) {
        return new Property<>(generator, tries, new Steps<>(stepsOf, with), shrinking);
    }

    /** Shrinks within other bounds than the usual 5,000 runs and 60 seconds. */
    Property<T> shrinking(Shrinking bounds) {
        return new Property<>(generator, tries, steps, bounds);
    }

    /**
     * Tries all cases.
     *
     * @throws AssertionError at the first case for which the check throws any {@code Throwable} but
     *     {@link Discard}. The message shows the case, its seed, and the failure; the cause is the
     *     thrown object. Also if more than five cases are discarded for each case to be tried
     */
    public void check(Check<? super T> check) {
        Seeds seeds = Seeds.ofThisRun();
        int discarded = 0;
        for (int tried = 0; tried < tries; ) {
            long seed = seeds.next();
            Attempt<T> attempt = Attempt.at(seed, generator, check);
            if (attempt.verdict().failure() != null) {
                throw new Report<>(tried + 1, tries, seed, attempt, steps).of(shrunk(attempt, check));
            }
            if (!attempt.verdict().discarded()) {
                tried++;
            } else if (++discarded > (long) MOST_DISCARDED * tries) {
                throw new AssertionError(String.format(
                        "%,d cases were discarded and %,d of %,d tried: the generator must draw fewer that are discarded",
                        discarded, tried, tries));
            }
        }
    }

    private Shrunk<T> shrunk(Attempt<T> attempt, Check<? super T> check) {
        Throwable failure = attempt.verdict().failure();
        return steps == null || attempt.drawn() == null
                ? new Shrunk<>(attempt.drawn(), failure, 0, true)
                : shrinking.shrink(attempt.drawn(), failure, steps, check);
    }
}
